"""Files of a stored run: only plain files inside its folder are opened, and only as much as needed is read."""

import json
import os
import stat
import zlib
from pathlib import Path
from typing import Any

from vinculum.errors import FileError
from vinculum.tolerances.sizes import LARGEST_CONTENT, LARGEST_TEXT

CHECKSUM_BYTES = 4


def open_plain(folder: Path, *parts: str) -> int:
    """A handle of the file ``parts`` below ``folder``; links, pipes and devices are refused, so that nothing else is read."""
    place = folder
    for part in parts[:-1]:
        place = place / part
        if not stat.S_ISDIR(os.lstat(place).st_mode):
            raise FileError(f"{folder}: '{part}' is not a plain folder; restore the run from a copy or run again")
    place = place / parts[-1]
    if not stat.S_ISREG(os.lstat(place).st_mode):
        raise FileError(_not_plain(folder, parts))
    handle = os.open(
        place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileError(_not_plain(folder, parts))
    return handle


def read_json(folder: Path, *parts: str) -> Any:
    """What a description says."""
    with os.fdopen(open_plain(folder, *parts), "rb") as file:
        text = file.read(LARGEST_TEXT + 1)
    place = folder.joinpath(*parts)
    if len(text) > LARGEST_TEXT:
        raise FileError(f"{place} is longer than {LARGEST_TEXT} bytes, so no Vinculum wrote it; restore it from a copy")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{place} is damaged: it is not JSON; restore it from a copy or run again") from error


def chunk_end(folder: Path, name: str, chunk: str) -> tuple[int, str]:
    """The size of a chunk and its checksum, which are its last bytes."""
    with os.fdopen(open_plain(folder, name, chunk), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - CHECKSUM_BYTES))
        return size, file.read(CHECKSUM_BYTES).hex()


def unpack(folder: Path, name: str, chunk: str, size: int) -> bytes:
    """The ``size`` bytes that a compressed chunk holds; one that would grow beyond them is refused before it does."""
    if size > LARGEST_CONTENT:
        raise FileError(f"{folder}: '{name}' is said to hold {size} bytes, more than {LARGEST_CONTENT}; it is damaged")
    with os.fdopen(open_plain(folder, name, chunk), "rb") as file:
        packed = file.read(size + (1 << 16))
    unpacking = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        content = unpacking.decompress(packed, size + 1)
    except zlib.error as error:
        raise FileError(
            f"{folder}: '{name}/{chunk}' is damaged: {error}; restore it from a copy or run again"
        ) from error
    if len(content) != size or not unpacking.eof or unpacking.unused_data:
        raise FileError(
            f"{folder}: '{name}/{chunk}' does not contain the expected {size} bytes; restore it from a copy"
        )
    return content


def _not_plain(folder: Path, parts: tuple[str, ...]) -> str:
    return f"{folder}: '{'/'.join(parts)}' is not a plain file; restore the run from a copy or run again"
