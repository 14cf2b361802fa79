"""The clean Debian systems that trials share are told apart by everything they are made of."""

from __future__ import annotations

from tests.systems import Release


def test_a_release_with_other_packages_is_another_system() -> None:
    """Releases that differ in name, packages or processor have different folders."""
    made = [
        Release("trixie", ("python3",)), Release("trixie", ("python3", "curl")), Release("bookworm", ("python3",)),
        Release("trixie", ("python3",), "arm64"),
    ]  # fmt: skip
    assert len({release.folder for release in made}) == len(made)
