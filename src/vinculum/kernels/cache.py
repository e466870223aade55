"""The user's private cache of compiled objects: mode 0700, refused if others can write there, every entry checksummed."""

import hashlib
import os
import stat
import tempfile
from functools import cache
from pathlib import Path

from vinculum.errors import FileError

VARIABLE = "VINCULUM_CACHE"


def directory() -> Path:
    """The cache directory, made if it is missing. `VINCULUM_CACHE` moves it."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return _private(Path(chosen))
    base = os.environ.get("XDG_CACHE_HOME") or (Path.home() / ".cache")
    return _private(Path(base) / "vinculum")


@cache
def _private(path: Path) -> Path:
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError as error:
        raise FileError(
            f"the cache directory {path} cannot be made: {error}; set {VARIABLE} to a directory of yours"
        ) from error
    if os.name == "posix":
        if status.st_uid != os.getuid():
            raise FileError(
                f"the cache directory {path} belongs to another user; set {VARIABLE} to a directory of yours"
            )
        if stat.S_IMODE(status.st_mode) & (stat.S_IWGRP | stat.S_IWOTH):
            raise FileError(
                f"others can write into the cache directory {path}, and compiled code is run from there; "
                f"`chmod 700 {path}`, or set {VARIABLE} to another directory"
            )
    return path


def fetch(key: str) -> bytes | None:
    """The bytes kept under ``key``, or None if there are none or they are damaged."""
    try:
        data = (directory() / key).read_bytes()
    except OSError:
        return None
    checksum, content = data[:32], data[32:]
    return content if hashlib.sha256(content).digest() == checksum else None


def keep(key: str, content: bytes) -> None:
    """Keep ``content`` under ``key``, atomically; a full disk costs only the next start."""
    folder = directory()
    try:
        handle, name = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        os.replace(name, folder / key)
    except OSError:
        return


def key_of(*parts: str) -> str:
    """A name for everything that decides an object."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
