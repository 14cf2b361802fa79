"""The first-run walk: game, seats, buttons, lights, camera, sheets, and a table.toml at the end."""
