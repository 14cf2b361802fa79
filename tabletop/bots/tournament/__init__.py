"""Tournaments: many games between bots, each seat played by each of them on equal chance."""
