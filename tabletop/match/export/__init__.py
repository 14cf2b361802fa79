"""Played games as tables for people who like data: games, seats, actions."""
