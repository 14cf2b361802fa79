"""Games as text: positions and records that people can read."""
