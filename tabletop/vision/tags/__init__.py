"""The payloads and patterns of our tags."""
