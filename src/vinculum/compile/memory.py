"""Memory of the machine: how much is free, and the refusal of what needs more."""

import os
from pathlib import Path

from vinculum.errors import ModelError, VinculumError

KILOBYTE, GIBIBYTE = 1 << 10, 1 << 30
LARGEST = 1 << 100
"""Bytes beyond which no number is told."""
MEMINFO, GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
"""Where Linux tells what is free, and what a container may have and has."""


def free_memory() -> int | None:
    """Bytes that this process can still have, as far as the system tells; None where it does not."""
    found = [x for x in (_free_of_machine(), _free_of_group()) if x is not None]
    return min(found, default=None)


def check_room(what: str, needed: int, error: type[VinculumError] = ModelError, remedy: str = "use fewer") -> None:
    """Refuse ``what`` if it takes more bytes than are free."""
    free = free_memory()
    if free is not None and needed > free:
        needed = min(needed, LARGEST)
        raise error(
            f"{what} take about {needed / GIBIBYTE:.2g} GiB of memory, but {free / GIBIBYTE:.2g} GiB are free; {remedy}"
        )


def _free_of_machine() -> int | None:
    try:
        return KILOBYTE * _entries(MEMINFO)["MemAvailable"]
    except (OSError, ValueError, KeyError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _free_of_group() -> int | None:
    """What the limit of a container leaves; file caches that could be dropped count as free."""
    try:
        limit, used = (int((GROUP / name).read_text()) for name in ("memory.max", "memory.current"))
        return max(0, limit - used + _entries(GROUP / "memory.stat").get("inactive_file", 0))
    except (OSError, ValueError):
        return None


def _entries(file: Path) -> dict[str, int]:
    """Names and whole numbers, one pair on each line."""
    rows = (line.replace(":", " ").split() for line in file.read_text().splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) > 1}
