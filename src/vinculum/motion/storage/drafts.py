"""Atomic writing: a folder is written under another name and renamed when it is complete."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, final

from vinculum.errors import FileError

try:
    import fcntl as _locks
except ImportError:  # Windows, where an open lock file already keeps others from removing the folder
    _locks: Any = None

ATTEMPTS, SECONDS_BETWEEN_ATTEMPTS = 40, 0.025
TIMES_GONE = 4
LOCK = ".lock"
LAST = "zarr.json"


@final
class Draft:
    """The temporary sibling ``.NAME.partial`` of a folder.

    ``path`` may hold nothing, or something that ``ours`` recognizes and that is then replaced; anything else is refused
    and left alone. A draft that a killed process left behind is replaced; one that is still written to is refused.
    """

    def __init__(self, path, ours: Callable[[Path], bool]):
        try:
            self.path = Path(os.path.realpath(path))
        except (TypeError, ValueError) as error:
            raise FileError(f"{path!r} is not a path; give the folder to write, for example 'run.zarr'") from error
        name = self.path.name or "root"
        self.folder, self._aside = self.path.parent / f".{name}.partial", self.path.parent / f".{name}.old"
        self._ours = ours
        self._lock: int | None = None
        if not self.path.parent.is_dir():
            raise FileError(
                f"{path} cannot be written: {self.path.parent} is not a folder; create it or choose another path"
            )
        if os.path.lexists(self.path) and not ours(self.path):
            raise FileError(
                f"{path} exists and is not a Vinculum run, so it is not changed; choose another path or remove it"
            )

    def open(self) -> Path:
        """The temporary folder, made empty and locked."""
        try:
            self.folder.mkdir(exist_ok=True)
            if not self._is_abandoned():
                raise FileError(f"{self.folder} is in the way and is not an unfinished Vinculum run; move it elsewhere")
            self._acquire()
            _empty(self.folder)
        except OSError as error:
            self.release()
            with suppress(OSError):
                self.folder.rmdir()  # only if nothing is in it
            raise self.refusal(error) from error
        return self.folder

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """The temporary folder, removed again if writing it fails."""
        folder = self.open()
        try:
            yield folder
        except OSError as error:
            self.discard()
            raise self.refusal(error) from error
        except BaseException:
            self.discard()
            raise

    def publish(self) -> None:
        """Bring every byte to the disk, then move the folder to its place; what stood there goes last."""
        (self.folder / LOCK).unlink(missing_ok=True)
        self.release()
        sync_tree(self.folder)
        if os.path.lexists(self.path):
            self._replace()
        else:
            os.rename(self.folder, self.path)
        sync(self.path.parent)
        self._clear_aside()

    def discard(self) -> None:
        """Remove the temporary folder; chunks that zarr's own threads are still writing may appear once more meanwhile."""
        gone = 0
        for _ in range(ATTEMPTS):
            _empty(self.folder, strict=False)
            shutil.rmtree(self.folder, ignore_errors=True)
            gone = 0 if self.folder.exists() else gone + 1
            if gone == TIMES_GONE:
                break
            time.sleep(SECONDS_BETWEEN_ATTEMPTS)
        self.release()

    def release(self) -> None:
        """Let others write there."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def refusal(self, error: Exception, kept: str = "") -> FileError:
        """What to tell the user when the disk says no; ``kept``: what remains."""
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        return FileError(
            f"{self.path} cannot be written: {reason}; {kept}free space, mend its permissions or choose another path"
        )

    def _replace(self) -> None:
        if not self._ours(self.path):
            raise FileError(
                f"{self.path} has appeared meanwhile and is not a Vinculum run, so it is left alone; "
                "choose another path"
            )
        self._clear_aside()
        os.rename(self.path, self._aside)
        try:
            os.rename(self.folder, self.path)
        except OSError:
            os.rename(self._aside, self.path)
            raise

    def _clear_aside(self) -> None:
        if self._aside.is_dir() and self._ours(self._aside):
            _empty(self._aside)
            self._aside.rmdir()

    def _acquire(self) -> None:
        self._lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if _locks is not None:
                _locks.flock(self._lock, _locks.LOCK_EX | _locks.LOCK_NB)
        except BlockingIOError as error:
            self.release()
            raise FileError(
                f"another run is being written to {self.path} now; wait for it or choose another path"
            ) from error
        except OSError:
            return  # a file system without locks

    def _is_abandoned(self) -> bool:
        """Whether the folder is a run's or holds nothing but what a run writes first."""
        begun = (n == LOCK or (n.startswith("zarr.") and n.endswith(".partial")) for n in os.listdir(self.folder))
        return self._ours(self.folder) or all(begun)


def sync(path: Path) -> None:
    """Bring a file's or a folder's bytes to the disk."""
    if os.name == "nt" and path.is_dir():  # Windows cannot open folders
        return
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_tree(folder: Path) -> None:
    """Bring every file below ``folder``, and then every folder, to the disk."""
    for place, _, files in os.walk(folder, topdown=False):
        for name in files:
            sync(Path(place, name))
        sync(Path(place))


def _empty(folder: Path, strict: bool = True) -> None:
    """Remove what ``folder`` holds, the lock excepted; the file that tells whose it is goes last."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name == LAST)
    except OSError:
        if strict:
            raise
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=not strict)
        elif entry.name != LOCK:
            Path(entry.path).unlink(missing_ok=True)
