"""Live pages: regions are rendered again when they change, and sent to the browsers."""
