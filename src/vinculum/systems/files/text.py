"""The text of a model file, as TOML."""

import tomllib
from pathlib import Path

from vinculum.errors import FileError
from vinculum.tolerances.sizes import LARGEST_FILE


def tables(path: Path) -> dict:
    """The tables of a TOML file; what is no such file is refused."""
    try:
        if path.is_dir():
            raise FileError(f"{path} is a folder; name a model file (a stored run is read by audit, plot and info)")
        if not path.exists():
            raise FileError(f"there is no file {path}; check the name and the folder")
        if not path.is_file():
            raise FileError(f"{path} is not a regular file; copy the model into one")
        if path.stat().st_size > LARGEST_FILE:
            raise FileError(f"{path} has {path.stat().st_size} bytes, a model file at most {LARGEST_FILE}")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{str(path)!r} cannot be read: {error}") from error
    try:
        found = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not a text in UTF-8 (byte {error.start}); save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"{path} is not TOML: {error}; texts stand in quotes, tables in [brackets]") from error
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is not TOML that can be read: {error}") from error
    if not found:
        raise FileError(f"{path} is empty; a model needs at least one table [bodies.name]")
    return found
