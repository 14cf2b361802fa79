"""Cameras behind one interface."""
