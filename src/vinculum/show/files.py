"""Files that are written whole or not at all."""

import os
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from vinculum.errors import FileError

PAGE_SIGNED = b'content="Vinculum"'
"""A page or report says so in its first `HEAD` bytes."""
HEAD = 1000
FILM_SIGNED = b"made by Vinculum"


def checked_target(what: str, path, suffixes: Collection[str], example: str) -> Path:
    """The file to write; a name with another suffix, a folder, and a place in no folder are refused."""
    try:
        target = Path(path)
    except TypeError as error:
        raise FileError(f"{path!r} is not a path; give a file such as '{example}'") from error
    if target.suffix.lower() not in suffixes:
        raise FileError(f"{what} {target}: unknown suffix '{target.suffix}'; use one of {', '.join(suffixes)}")
    if target.is_dir() or not target.parent.is_dir():
        where = "is a folder" if target.is_dir() else f"cannot be written: {target.parent} is not a folder"
        raise FileError(f"{what} {target} {where}; choose another path")
    return target


def checked_own_target(what: str, path, suffixes: Collection[str], example: str) -> Path:
    """`checked_target` for what Vinculum signs: a file that is there and that it did not write is refused."""
    target = checked_target(what, path, suffixes, example)
    refuse_foreign(what, target)
    return target


def refuse_foreign(what: str, target: Path) -> None:
    """Refuse a file with something in it that Vinculum did not write."""
    if target.exists() and not _is_own(target):
        raise FileError(
            f"{target} exists and is not a {what} of Vinculum, so it is not changed; choose another path or remove it"
        )


def _is_own(path: Path) -> bool:
    """Whether Vinculum wrote the file, which it signs, or there is nothing in it."""
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return not content or PAGE_SIGNED in content[:HEAD] or FILM_SIGNED in content


def write_whole(what: str, target: Path, write: Callable[[Any], None]) -> None:
    """Let ``write`` fill a file next to the target, then move it there; a failure leaves nothing."""
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".partial", dir=target.parent)
        os.close(handle)
        with open(temporary, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise FileError(
                f"{what} {target} cannot be written: {error.strerror or error}; choose another path"
            ) from error
        raise
