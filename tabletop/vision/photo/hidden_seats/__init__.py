"""Seats whose marker is hidden: what else shows that they play."""
