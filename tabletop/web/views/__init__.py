"""What pages show, as data."""
