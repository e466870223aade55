"""Compiled kernels in a platform wheel: they are the same for every user, so no user compiles them.

They lie in `FOLDER` as Numba's cache files, next to a manifest of what they were made with. They are used where Python, Numba and
llvmlite are those of the manifest, the processor has all features that they were compiled for, and the sources are the same. Whatever
does not fit or is damaged is as none: the function is then compiled as in a clone, which has no such folder. They are as trusted as the
sources beside which they are installed.
"""

import hashlib
import json
import pickle
import platform
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import numba
from llvmlite import binding
from numba.core import config as numba_config

FOLDER = Path(__file__).parents[2] / "shipped"
MANIFEST = "manifest.json"


class Target(NamedTuple):
    """A processor that code is compiled for: LLVM's name, and the features that the code may use."""

    cpu: str
    features: str


TARGETS = {
    "x86_64": Target(
        "x86-64-v3",
        "+64bit,+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,"
        "+sse4.1,+sse4.2,+ssse3,+xsave",
    ),
    "aarch64": Target("generic", "+fp-armv8,+neon"),
    "arm64": Target("generic", "+fp-armv8,+neon"),
}
"""For which processor a wheel is compiled, by the machine's name: what nearly all machines of that name have (AVX2: since 2013)."""


class Made(NamedTuple):
    """What decides whether compiled kernels fit."""

    python: str
    numba: str
    llvmlite: str
    triple: str
    cpu: str
    features: str


def made_here(target: Target) -> Made:
    """What kernels that are compiled now for a processor are made with."""
    python = f"{platform.python_implementation()} {'.'.join(platform.python_version_tuple()[:2])}"
    return Made(python, numba.__version__, llvmlite.__version__, binding.get_process_triple(), *target)


@cache
def magic() -> tuple[str, str, str] | None:
    """What Numba writes into its index for the processor of the shipped kernels; None where there are none that fit."""
    try:
        made = Made(**json.loads((FOLDER / MANIFEST).read_text("utf-8")))
        fits = made == made_here(Target(made.cpu, made.features)) and _has(made.features.split(","))
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return (made.triple, made.cpu, made.features) if fits and not _is_chosen() else None


def _has(features: list[str]) -> bool:
    """Whether this processor has all features."""
    host = binding.get_host_cpu_features()
    return all(host.get(name[1:], False) for name in features if name)


def _is_chosen() -> bool:
    """Whether the user asks Numba for code of another processor."""
    config: Any = numba_config
    return config.CPU_NAME is not None or config.CPU_FEATURES is not None or not config.ENABLE_AVX


def fetch(folder: Path, index: str, stamp: bytes, key: tuple) -> Any:
    """The shipped code of a function for one signature, or None. ``folder``: that of its source, within the package; ``index``: the
    name of the function's index; ``stamp``: that of its sources; ``key``: Numba's, with the processor in its middle."""
    target = magic()
    if target is None:
        return None
    try:
        _, kept, overloads = pickle.loads(_content(FOLDER / folder / index))
        name = overloads.get((key[0], target, key[2])) if kept == stamp else None
        return None if name is None else pickle.loads(_content(FOLDER / folder / name))
    except Exception:  # unpickling something damaged can raise anything
        return None


def _content(path: Path) -> bytes:
    """A file without its checksum; `OSError` if it is missing or damaged."""
    data = path.read_bytes()
    if hashlib.sha256(data[32:]).digest() != data[:32]:
        raise OSError(f"{path} is damaged")
    return data[32:]
