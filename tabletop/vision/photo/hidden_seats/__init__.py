"""Finds other evidence of seats that play although their marker is hidden."""
