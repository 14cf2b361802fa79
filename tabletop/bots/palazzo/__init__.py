"""Bots that know what things of Palazzo are worth."""

from tabletop.bots.palazzo.thrifty import ThriftyPlayer

BOTS = {"thrifty": ThriftyPlayer}
