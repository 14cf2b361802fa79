"""A referee that sits at a real board game: camera, rules engine, buttons, lights and pages."""

__version__ = "0.1.0"
