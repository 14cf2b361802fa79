"""Cameras, buttons and lights, real and mock.  Knows no match and no pages."""
