"""Requests and responses: what is allowed, where the table is, static files, errors."""
