"""What computes a motion: this library, Python and the packages that may change the last digits."""

import importlib.metadata
import platform
from functools import cache

ENGINES = ("numpy", "scipy", "casadi", "heyoka", "numba", "llvmlite")
"""Packages whose versions may change the last digits of a motion."""


@cache
def installed_versions() -> str:
    """Names and versions in one line."""
    engines = [f"{name} {found}" for name in ENGINES if (found := _version(name))]
    return f"Vinculum {_version('vinculum')}, Python {platform.python_version()}, {', '.join(engines)}"


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
