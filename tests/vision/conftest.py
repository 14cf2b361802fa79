"""A detector for the small table."""

import pytest

from tabletop.vision.detect.detector import Detector
from tests.vision.small_table import PATTERNS, SIZES


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(PATTERNS, SIZES)
