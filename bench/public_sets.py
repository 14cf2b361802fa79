"""Public sets of photographs, fetched from their repositories when a bench needs one; none is part of the project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class PublicSet:
    """Photographs in a Git repository: its address, the commit, the files, how many megabytes, and what they show.

    ``files`` are patterns as in .gitignore.
    """

    address: str
    commit: str
    files: tuple[str, ...]
    megabytes: int
    shows: str


PUBLIC_SETS = {  # all under the Apache licence 2.0
    "set-cards": PublicSet(
        "https://github.com/tomwhite/set-game",
        "bd047ece2f07e483f39fa41ba1170d9afd9a768c",
        ("/data/*.jpg", "/data/ad-hoc/*.JPG", "/data/train/*.jpg"),
        80,
        "white cards on slate and wood",
    ),
    "playing-cards": PublicSet(
        "https://github.com/EdjeElectronics/TensorFlow-Object-Detection-API-Tutorial-Train-Multiple-Objects-Windows-10",
        "c1645825822622fc75919b6be253779d49678f55",
        ("/images/train/*", "/images/test/*"),
        40,
        "playing cards all over a home",
    ),
    "qr-codes": PublicSet(
        "https://github.com/zxing/zxing",
        "7f129804e396958ae762da288da5df330d142da0",
        ("/core/src/test/resources/blackbox/qrcode-*", "/core/src/test/resources/blackbox/falsepositives*"),
        30,
        "the QR codes with which zxing tests itself, and pictures without any",
    ),
}
WHERE = f"those below a folder, or a public set that is fetched: {', '.join(PUBLIC_SETS)}"
"""The end of the help of an option that names photographs."""


def folder_of(where: str) -> Path:
    """Return the folder of a public set if ``where`` is its name, else ``where`` as a folder.

    Raises SystemExit if a set cannot be fetched.
    """
    return fetched(where, PUBLIC_SETS[where], _cache()) if where in PUBLIC_SETS else Path(where)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tabletop-bench"


def fetched(name: str, public: PublicSet, kept: Path) -> Path:
    """Return the folder of a public set below ``kept``; it is fetched first if it is missing or incomplete."""
    folder, partial = kept / f"{name}-{public.commit[:12]}", kept / f"{name}.partial"
    if folder.is_dir():
        return folder
    if shutil.which("git") is None:
        raise SystemExit("Public photographs are fetched with Git: install it, or name a folder of your own.")
    print(f"Fetching about {public.megabytes} MB of photographs from {public.address} ...", file=sys.stderr, flush=True)
    shutil.rmtree(partial, ignore_errors=True)
    kept.mkdir(parents=True, exist_ok=True)
    clone = ["clone", "--quiet", "--no-checkout", "--depth", "1", "--filter=blob:none", public.address, str(partial)]
    try:
        _git(clone)
        _git(["-C", str(partial), "fetch", "--quiet", "--depth", "1", "origin", public.commit])
        _git(["-C", str(partial), "sparse-checkout", "set", "--no-cone", *public.files])
        _git(["-C", str(partial), "checkout", "--quiet", public.commit])
    except subprocess.CalledProcessError as error:
        shutil.rmtree(partial, ignore_errors=True)
        why = (error.stderr.strip() or str(error)).splitlines()[-1]
        raise SystemExit(
            f"The photographs of {name} could not be fetched from {public.address}: {why}. "
            "Connect to the internet, or name a folder of your own."
        ) from error
    shutil.rmtree(partial / ".git")
    partial.rename(folder)
    return folder


def _git(words: Sequence[str]) -> None:
    quiet = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}  # otherwise Git asks for a password if a repository is missing
    subprocess.run(["git", *words], check=True, capture_output=True, text=True, env=quiet)
