"""Bots that think in a separate process."""
