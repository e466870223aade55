"""The user's private cache of compiled objects: folders of mode 0700, refused if others can write there; entries are checked before use."""

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from vinculum.errors import FileError

VARIABLE = "VINCULUM_CACHE"
OTHERS = stat.S_IWGRP | stat.S_IWOTH


def directory(*parts: str) -> Path:
    """The cache directory, or a folder in it, made if it is missing. `VINCULUM_CACHE` moves it."""
    chosen = os.environ.get(VARIABLE)
    base = Path(os.environ.get("XDG_CACHE_HOME") or (Path.home() / ".cache")) / "vinculum"
    found = private(Path(chosen) if chosen else base)
    for part in parts:
        found = private(found / part)
    return found


@cache
def private(path: Path) -> Path:
    """A folder that is the user's alone, made with its parents if it is missing."""
    try:
        for missing in [path, *path.parents][::-1]:
            if not missing.exists():
                missing.mkdir(mode=0o700, exist_ok=True)
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
        if status.st_mode & OTHERS:
            raise FileError(
                f"others can write into the cache directory {path}, and compiled code is run from there; "
                f"look through it, then `chmod 700 {path}`, or set {VARIABLE} to another directory"
            )
    return path


def is_own(status: os.stat_result) -> bool:
    """Whether a file is a plain one that only the user can have written."""
    if not stat.S_ISREG(status.st_mode):
        return False
    return os.name != "posix" or (status.st_uid == os.getuid() and not status.st_mode & OTHERS)


def read_own(path: Path) -> bytes | None:
    """The content of a file that only the user can have written, without its checksum; None if it is another's, damaged or missing."""
    try:
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with os.fdopen(handle, "rb") as file:
            data = file.read() if is_own(os.fstat(handle)) else b""
    except OSError:
        return None
    checksum, content = data[:32], data[32:]
    return content if hashlib.sha256(content).digest() == checksum else None


def write_own(path: Path, content: bytes) -> None:
    """Write a file that only the user can read, with its checksum, all or nothing; `OSError` if the disk says no."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise


def fetch(key: str) -> bytes | None:
    """The bytes kept under ``key``, or None if there are none or they are damaged."""
    return read_own(directory() / key)


def keep(key: str, content: bytes) -> None:
    """Keep ``content`` under ``key``; a full disk costs only the next start."""
    folder = directory()
    try:
        write_own(folder / key, content)
    except OSError:
        return


def remove_foreign(folder: Path) -> None:
    """Remove what others can have written from a folder of the cache, before another program reads it."""
    for entry in os.scandir(folder):
        if not is_own(entry.stat(follow_symlinks=False)):
            try:
                os.unlink(entry.path)
            except OSError as error:
                raise FileError(
                    f"others can have written {entry.path}, and compiled code is run from there; remove it ({error.strerror})"
                ) from error


def foreign() -> Iterator[str]:
    """What in the cache others have written or could have, in words."""
    for place, folders, files in os.walk(directory()):
        for name in (*folders, *files):
            path = Path(place, name)
            try:
                status = path.lstat()
            except OSError:
                continue
            if os.name == "posix" and status.st_uid != os.getuid():
                yield f"{path} in the cache belongs to another user; remove it"
            elif os.name == "posix" and not stat.S_ISLNK(status.st_mode) and status.st_mode & OTHERS:
                yield f"others can write {path} in the cache, and compiled code is run from there; remove it"
            elif not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
                yield f"{path} in the cache is neither a plain file nor a folder; remove it"


def key_of(*parts: str) -> str:
    """A name for everything that decides an object."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
