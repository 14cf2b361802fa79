"""Photographs from phones: taken, read, shown with what was understood, and confirmed."""
