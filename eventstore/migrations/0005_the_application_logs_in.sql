-- The application logs in as parlor_app, or as a member of it, and reads by itself whether the schema is the one it knows.
GRANT SELECT ON schema_migrations TO parlor_app;
-- Whatever else a database or its owner may have granted: what was appended stays as it is.
REVOKE UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON events, commands FROM parlor_app, PUBLIC;
