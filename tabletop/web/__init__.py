"""The pages: each seat its own view, nothing from the internet."""
