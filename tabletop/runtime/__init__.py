"""Joins the packages to make a running table: the real one, the demo, and maintenance."""
