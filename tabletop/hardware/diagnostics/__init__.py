"""Diagnostics: whether this machine is fit to run a table."""
