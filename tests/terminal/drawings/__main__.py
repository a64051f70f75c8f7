from tests.terminal.drawings import TABLES, file, picture

for slug in TABLES:
    file(slug).write_text(picture(slug))
