"""Reads codes with general QR decoders, which know nothing about our tags."""
