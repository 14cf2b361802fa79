"""Patrician by Michael Schacht: towers in ten cities, built by the card."""
