"""``python -m tabletop`` is the ``tabletop`` command."""

import signal

# Ctrl-C while the program is still being loaded ends it without a traceback.
listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if listens:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from tabletop.cli import main  # noqa: E402

if listens:
    signal.signal(signal.SIGINT, signal.default_int_handler)
main(prog_name="tabletop")
