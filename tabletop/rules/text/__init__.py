"""Games as text: positions, actions and records that people can read."""
