"""Pages that stay true: regions rendered again when they change, and sent."""
