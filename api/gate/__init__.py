"""What stands before the application: it takes requests in, whole and within bounds, and hands answers out."""
