"""Searches for faults that go on for as long as one likes, each a command (``python -m tests.campaigns.soak``)."""

import os

# As the command line does: waiting for each other would be counted as work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
