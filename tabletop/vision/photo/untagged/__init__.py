"""Finds things without a readable tag where pieces count: tiles face down, things over tiles, tiles beneath others."""
