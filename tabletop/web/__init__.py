"""The pages: what each seat, a spectator and the host see in a browser, and what a seat may do there.

A page is made of regions, each an HTML fragment rendered for one audience from ``position.view(seat)``; a stream of
server-sent events sends the regions that changed.  A game brings its words and pictures in ``games/`` and
``templates/games/``; whatever it does not bring is filled by the generic parts.
"""
