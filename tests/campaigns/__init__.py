"""Searches for faults that run as long as one likes, each a command (``python -m tests.campaigns.soak``)."""

import os

# The command line sets this as well: threads that wait for each other would be counted as work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
