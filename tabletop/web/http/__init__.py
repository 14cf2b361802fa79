"""Requests and responses: who asks, what is allowed, how it is answered."""
