"""Describes every command in one sentence, for all lists of commands.

``./play --help`` reads this file without any library.
"""

PROGRAM = {
    "demo": "Play at a simulated table in your browser, without any hardware.",
    "serve": "Run a real table: its camera, its panel and its pages.",
    "setup": "Set up this table step by step and write table.toml.",
    "doctor": "Check everything that a table needs on this machine.",
    "bench": "Measure how well this machine runs a table.",
    "aim": "Report how well the camera sees each area, and how to aim it.",
    "panel": "Check the file that assigns the pins, and print the wiring.",
    "tags": "Print the tags of a game, or complete tiles and cards, as PDF.",
    "edition": "Enter what is printed on your pieces, or check it.",
    "read": "Print the tags in each picture as one line of JSON.",
    "score": "Score a finished game from photographs.",
    "referee": "Speak the referee protocol: JSON lines in, JSON lines out.",
    "replay": "Check a game record line by line and print it.",
    "hint": "Suggest what a seat could do at the end of a record.",
    "analyse": "Show how a game's chances changed and which decisions cost most.",
    "tournament": "Play bots against each other and print the results.",
    "export": "Write played games as tables of games, seats and actions.",
    "train": "Train a game's strong bot in games against itself.",
}
"""The commands of ``tabletop``, in the order in which a newcomer meets them."""

CHECKOUT = {
    "test": "Run every check and every test (--quick: only the fast tests).",
    "check": "Check format, lint, types and imports.",
    "fix": "Format the code and fix what the linter can fix.",
    "coverage": "Run the tests and print which share of each module they reach.",
    "texts": "Update the catalogues of translated texts.",
    "hil": "Play half a game on real (kernel) devices in a virtual machine.",
    "install": "Install the table as a service on this machine.",
    "uninstall": "Remove that service but keep the games and table.toml.",
}
"""The commands that exist only as ``./play`` in a checkout."""
