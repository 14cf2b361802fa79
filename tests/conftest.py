"""Settings for every test."""

import os

import pytest
from hypothesis import settings

# The tests have a worker for each core: threads within their matrix products and pictures would fight over the same
# cores, for twice the time of both.  It has to be said before the libraries are loaded; programs that a test starts
# inherit it.
for threads in ("OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(threads, "1")

# Examples must not depend on the day: a failure anywhere is a failure everywhere.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("steady")

LONGEST = (
    "test_whole_game.py", "test_scenarios.py", "test_still.py", "test_invariants.py", "test_faults.py", "test_eyes.py",
)  # fmt: skip
"""The files that take longest, from a game that is seen frame by frame to a quarter of a minute.

Those with browsers come late by their names, and shall: they wait for somebody at a screen, who has only so much
patience, and ``.ci/run`` has a virtual machine beside the tests at first.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest, so that at the end no worker goes on alone with one of them."""
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.name, len(LONGEST)))
