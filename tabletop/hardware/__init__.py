"""Cameras, buttons and lights, real and mock; independent of matches and pages."""
