"""Whether this machine is fit to be a table."""
