"""The setup of a new table, step by step: game, seats, buttons, lights, camera, sheets, and a table.toml at the end."""
