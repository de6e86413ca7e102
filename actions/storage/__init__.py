"""What is kept: folders, the database, secrets, settings and the lock of a home. Imported by the services only."""
