"""Bots that know what things of Palazzo are worth."""
