"""``python -m tabletop`` is the ``tabletop`` command."""

import signal

# Whoever presses Ctrl-C while the program is still being loaded wants no account of where it was.
listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if listens:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from tabletop.cli import main  # noqa: E402

if listens:
    signal.signal(signal.SIGINT, signal.default_int_handler)
main(prog_name="tabletop")
