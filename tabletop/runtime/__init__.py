"""Where the packages are joined to a running table: the real one, the demo, and maintenance."""
