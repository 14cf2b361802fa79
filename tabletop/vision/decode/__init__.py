"""Codes read by decoders that know nothing of our tags."""
