"""Played games as tables for those who like data: games, seats, actions."""
