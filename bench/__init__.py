"""Benchmarks, each a command of its own (``python -m bench.reading``)."""

import os

# As the command line does: otherwise work on two cores would be counted twice, and waiting for each other as work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
