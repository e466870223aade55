"""Numba's cache of our compiled functions, and when it is invalid.

A compiled function holds the code of those it calls and the constants it reads, but Numba looks only at the file in which it
stands (its documentation names this limit). Here the stamp of a file is a digest of it and of all files of ours that it imports, directly
or not: one changed line compiles anew whatever holds it, and nothing else. Files named ``arrays.py`` count for all: they say which field
of a tuple of arguments stands where. What a wheel ships (`shipped`) is looked at first. A function that calls others which stand alone
(`linking`) is loaded after them.
"""

import hashlib
import importlib
import pickle
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numba
from numba.core import caching

from vinculum.compile.disk import cache as private
from vinculum.compile.disk import shipped

PACKAGE = Path(__file__).parents[2]
IMPORT = re.compile(
    r"^(?:from\s+(vinculum[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+(vinculum[\w.]*))", re.MULTILINE
)


class Locator(caching.UserProvidedCacheLocator):
    """Keeps functions of this package in the user's private cache directory; what is not ours is left to Numba."""

    def __init__(self, py_func, py_file, cache_path):
        self._py_file, self._lineno, self._cache_path = py_file, py_func.__code__.co_firstlineno, cache_path

    def ensure_cache_path(self):
        """The folder is made when the locator is, for the user alone."""

    @classmethod
    def from_function(cls, py_func, py_file):
        """A locator for a function in a file of ours, or None."""
        cache_path = _place(py_file)
        return None if cache_path is None else cls(py_func, py_file, cache_path)

    def get_source_stamp(self):  # pyright: ignore[reportIncompatibleMethodOverride] Numba has no types and takes anything
        """The file; its stamp is taken when the cache is looked into (`OwnFiles`), since most functions are never called."""
        return Path(self._py_file)


@cache
def _place(py_file: str) -> str | None:
    """The folder in which functions of a file of ours are kept, made for the user alone; None for other files."""
    path = Path(py_file)
    if PACKAGE not in path.parents or not path.is_file():
        return None
    found = str(private.directory("numba", Locator.get_suitable_cache_subpath(py_file)))
    _folders[found] = path.parent.relative_to(PACKAGE)
    return found


class OwnFiles(caching.IndexDataCacheFile):
    """Index and data of one of our functions: files that only the user can have written, each with its checksum.

    Numba unpickles what it finds, so nothing else may come that far; a damaged or foreign file is as none.
    """

    @property
    def _stamp(self) -> bytes:
        return stamp_of(self._source_stamp)

    def load(self, key):
        """The code of one signature with what it needs: the wheel's, or the user's own; None also if something it needs is not there."""
        found = shipped.fetch(_folders[self._cache_path], self._index_name, self._stamp, key)
        content = _of_numba.load(self, key) if found is None else found
        if content is None:
            return None
        code, needed = content
        if not all(_is_loaded(one) for one in needed):
            return None
        _register(code)
        return code

    def save(self, key, data):
        """Keep the code of one signature, and where what it needs is found."""
        _register(data)
        (_, _, kept), *_ = data
        needed = [_known.get(symbol) for symbol in kept.needs]
        if None not in needed:
            _of_numba.save(self, key, (data, needed))

    def _load_index(self):
        content = private.read_own(Path(self._index_path))
        if content is None:
            return {}
        try:
            version, stamp, overloads = pickle.loads(content)
        except (AttributeError, ImportError):  # signatures of an earlier version name classes that are gone
            return {}
        return overloads if (version, stamp) == (self._version, self._stamp) else {}

    def _save_index(self, overloads):
        content = pickle.dumps((self._version, self._stamp, overloads), protocol=-1)
        private.write_own(Path(self._index_path), content)

    def _load_data(self, name):
        content = private.read_own(Path(self._data_path(name)))
        if content is None:
            raise OSError(
                f"{name} is missing, damaged or another's"
            )  # which Numba takes for a function not compiled yet
        return pickle.loads(content)

    def _save_data(self, name, data):
        private.write_own(Path(self._data_path(name)), self._dump(data))


def _files(cache_path, filename_base, source_stamp):
    """`OwnFiles` in the private cache, Numba's own elsewhere."""
    return (OwnFiles if cache_path in _folders else _of_numba)(cache_path, filename_base, source_stamp)


_of_numba = caching.IndexDataCacheFile
_folders: dict[str, Path] = {}
"""The folder of the sources within the package, by the folder of their cache."""


class Place(NamedTuple):
    """A compiled function that others call: its symbol, and the function and types of arguments that it was made from."""

    symbol: str
    module: str
    name: str
    arguments: tuple


_known: dict[str, Place] = {}
"""The functions of ours that this process has loaded or compiled, by their symbols."""


def _register(data: tuple) -> None:
    _, function, _, signature, *_ = data
    _known[function.llvm_func_name] = Place(
        function.llvm_func_name, function.modname, function.qualname, signature.args
    )


def _is_loaded(place: Place) -> bool:
    """Load a function that another needs. Compiled anew it has another symbol, and what needs it must be compiled anew too."""
    if place.symbol not in _known:
        getattr(importlib.import_module(place.module), place.name).compile(place.arguments)
    return place.symbol in _known


def use() -> None:
    """Ask Numba to look for a `Locator` before its own, and to read files of ours as `OwnFiles`."""
    caching.IndexDataCacheFile = _files  # type: ignore[assignment]
    ours, own = f"{__name__}.{Locator.__name__}", numba.config.CACHE_LOCATOR_CLASSES  # type: ignore[attr-defined]
    if ours not in own:
        rest = (
            own
            or "UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator,ZipCacheLocator"
        )
        numba.config.CACHE_LOCATOR_CLASSES = f"{ours},{rest}"  # type: ignore[attr-defined]


@cache
def stamp_of(path: Path) -> bytes:
    """A digest of a file and of the files of this package that it imports, directly or not."""
    met, left = {path, *_arguments()}, [path]
    while left:
        new = _imported_by(left.pop()) - met
        met |= new
        left += new
    return hashlib.sha256(b"".join(_digest(one) for one in sorted(met))).digest()


@cache
def _arguments() -> frozenset[Path]:
    """The files that name the fields of tuples of arguments."""
    return frozenset(PACKAGE.rglob("arrays.py"))


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


@cache
def _imported_by(path: Path) -> frozenset[Path]:
    found = set()
    for module, names, plain in IMPORT.findall(path.read_text("utf-8")):
        parts = (module or plain).split(".")[1:]
        bare = re.sub(r"#.*|[()]", " ", names)
        members = [name.split()[0] for name in bare.split(",") if name.split()]
        found |= {file for tail in ([], *([member] for member in members)) if (file := _file([*parts, *tail]))}
    return frozenset(found)


def _file(parts: list[str]) -> Path | None:
    """The file of a module of this package, or None where the last part is a name in it."""
    path = PACKAGE.joinpath(*parts)
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if parts and file.is_file()), None)
