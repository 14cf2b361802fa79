"""Tournaments: many games between bots, in which every bot plays every seat on equal chance."""
