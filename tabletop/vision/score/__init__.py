"""Computes final scores from the tags in photographs."""
