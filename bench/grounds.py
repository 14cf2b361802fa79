"""Photographs of real tables on which everything is laid: those of a folder, or a public set, fetched when it is asked.

No photograph of a public set is copied into the project.  Each set is fetched once, at the commit that is named here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.photographs import SUFFIXES
from tabletop.vision.frame import Grey
from tabletop.vision.image.load import open_picture

LEAST_BYTES = 20_000
"""Bytes of a photograph that shows more than a code."""


@dataclass(frozen=True)
class PublicSet:
    """Photographs in a public Git repository: where, at which commit, in which of its files, and how large they are."""

    address: str
    commit: str
    files: tuple[str, ...]
    megabytes: int


PUBLIC_SETS = {
    # Cards of white paper on slate and on wood, 6 megapixels, by one telephone and one camera (Apache 2.0).
    "set-cards": PublicSet(
        "https://github.com/tomwhite/set-game",
        "bd047ece2f07e483f39fa41ba1170d9afd9a768c",
        ("/data/*.jpg", "/data/ad-hoc/*.JPG", "/data/train/*.jpg"),
        80,
    ),
    # Playing cards on tables, beds and carpets of a home, small, by a telephone and a webcam (Apache 2.0).
    "playing-cards": PublicSet(
        "https://github.com/EdjeElectronics/TensorFlow-Object-Detection-API-Tutorial-Train-Multiple-Objects-Windows-10",
        "c1645825822622fc75919b6be253779d49678f55",
        ("/images/train/*", "/images/test/*"),
        40,
    ),
}

ON_PHOTOGRAPHS = f"lay everything on photographs: those below a folder, or a public set ({', '.join(PUBLIC_SETS)})"
"""What the option that names them says of itself."""


def cache() -> Path:
    """Return where public sets are kept between runs."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tabletop-bench"


def grounds_of(where: str) -> list[Path]:
    """Return the photographs of a public set, by its name, or those of a folder.

    Raises SystemExit if there are none, or if the set cannot be fetched.
    """
    if where in PUBLIC_SETS:
        return pictures_in(fetched(where, PUBLIC_SETS[where], cache()))
    return pictures_in(Path(where))


def pictures_in(folder: Path) -> list[Path]:
    """Return the pictures below a folder that are large enough to lie on."""
    files = sorted(
        path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.stat().st_size > LEAST_BYTES
    )
    if not files:
        known = ", ".join(PUBLIC_SETS)
        raise SystemExit(
            f"No photographs below {folder}: name a folder that holds some as .jpg, .png or .webp, or one of {known}."
        )
    return files


def fetched(name: str, public: PublicSet, kept: Path) -> Path:
    """Return the folder of a public set below ``kept``, fetched if it is not there; an interrupted one is not there."""
    folder, partial = kept / f"{name}-{public.commit[:12]}", kept / f"{name}.partial"
    if folder.is_dir():
        return folder
    print(f"Fetching about {public.megabytes} MB of photographs from {public.address} ...", file=sys.stderr, flush=True)
    shutil.rmtree(partial, ignore_errors=True)
    kept.mkdir(parents=True, exist_ok=True)
    clone = ["clone", "--quiet", "--no-checkout", "--depth", "1", "--filter=blob:none", public.address, str(partial)]
    try:
        _git(clone)
        _git(["-C", str(partial), "fetch", "--quiet", "--depth", "1", "origin", public.commit])
        _git(["-C", str(partial), "sparse-checkout", "set", "--no-cone", *public.files])
        _git(["-C", str(partial), "checkout", "--quiet", public.commit])
    except (OSError, subprocess.CalledProcessError) as error:
        shutil.rmtree(partial, ignore_errors=True)
        said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        raise SystemExit(
            f"The photographs of {name} could not be fetched from {public.address}: {said[-1] if said else error}. "
            "Connect to the internet, or name a folder of your own."
        ) from error
    shutil.rmtree(partial / ".git")
    partial.rename(folder)
    return folder


def _git(words: Sequence[str]) -> None:
    quiet = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}  # what does not exist would be asked for with a password
    subprocess.run(["git", *words], check=True, capture_output=True, text=True, env=quiet)


def photograph(files: Sequence[Path], seed: int) -> Grey:
    """Return one of some photographs, turned or mirrored, as the ground on which everything lies."""
    rng = np.random.default_rng((seed, 98))
    grey = open_picture(files[int(rng.integers(len(files)))]).grey
    return np.rot90(grey[:, :: int(rng.choice((-1, 1)))], int(rng.integers(4))).copy()


def filling(picture: NDArray[Any], shape: tuple[int, int]) -> NDArray[Any]:
    """Return the middle of a picture, as large as it has to be to fill that shape (rows, columns)."""
    more = max(shape[0] / picture.shape[0], shape[1] / picture.shape[1])
    size = (max(shape[1], round(picture.shape[1] * more)), max(shape[0], round(picture.shape[0] * more)))
    large = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC)
    top, left = (size[1] - shape[0]) // 2, (size[0] - shape[1]) // 2
    return large[top : top + shape[0], left : left + shape[1]].copy()
