"""`vinculum doctor`: installed packages, cache, and the engine that will run."""

import importlib.metadata
import itertools
import os
import platform
import re
from typing import Any

import typer

from vinculum.cli.answers import FAILED, AsJson, answering, print_facts, print_json, print_table
from vinculum.tolerances.sizes import PROBLEMS_OF_A_CACHE

LANES = {"avx512f": 8, "avx": 4}
"""Doubles in a vector register, by the feature that brings it; two without any of them."""


@answering
def doctor(as_json: AsJson = False) -> None:
    """Show versions, the cache, the processor and the engine; the exit code is 1 when something must be mended."""
    facts = _facts()
    if as_json:
        print_json(facts)
    else:
        _print(facts)
    if facts["problems"]:
        raise typer.Exit(FAILED)


def _facts() -> dict[str, Any]:
    import vinculum

    required, extras = _dependencies()
    cache, problems = _cache()
    missing = [name for name, version in required.items() if version is None]
    problems += [f"{name} is not installed; `pip install {name}`" for name in missing]
    return {
        "vinculum": vinculum.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": _cpu(),
        "engine": _engine(),
        "cache": cache,
        "dependencies": required,
        "extras": extras,
        "problems": problems,
    }


def _dependencies() -> tuple[dict[str, str | None], dict[str, dict[str, str | None]]]:
    """Installed versions of the required packages and of the extras."""
    required: dict[str, str | None] = {}
    extras: dict[str, dict[str, str | None]] = {}
    for line in importlib.metadata.requires("vinculum") or ():
        name = re.split(r"[\s\[<>=!~;(]", line, maxsplit=1)[0]
        extra = re.search(r"""extra\s*==\s*["']([^"']+)""", line)
        (extras.setdefault(extra.group(1), {}) if extra else required)[name] = _version(name)
    return required, extras


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _cache() -> tuple[dict[str, Any], list[str]]:
    from vinculum.compile.disk import cache
    from vinculum.errors import FileError

    try:
        folder = cache.directory()
        files = [entry for entry in os.scandir(folder) if entry.is_file()]
        size = sum(entry.stat().st_size for entry in files)
    except (FileError, OSError) as error:
        return {"directory": None, "state": "refused", "objects": 0, "bytes": 0}, [str(error)]
    problems = list(itertools.islice(cache.foreign(), PROBLEMS_OF_A_CACHE))
    state = "others can write in it" if problems else "private"
    return {"directory": str(folder), "state": state, "objects": len(files), "bytes": size}, problems


def _cpu() -> dict[str, Any]:
    try:
        from llvmlite import binding
    except ImportError:
        return {"name": platform.processor() or "unknown", "doubles_per_vector": None, "cores": os.cpu_count()}
    features = binding.get_host_cpu_features()
    lanes = next((width for feature, width in LANES.items() if features.get(feature)), 2)
    return {"name": binding.get_host_cpu_name(), "doubles_per_vector": lanes, "cores": os.cpu_count()}


def _engine() -> dict[str, Any]:
    from vinculum.compile.engines import HIDE_HEYOKA, has_heyoka

    installed = _version("heyoka") is not None
    state = "used" if has_heyoka() else f"hidden by {HIDE_HEYOKA}" if installed else "not installed"
    return {"default": "taylor" if has_heyoka() else "dop853", "heyoka": state}


def _print(facts: dict[str, Any]) -> None:
    cpu, engine, cache = facts["cpu"], facts["engine"], facts["cache"]
    size = f"{cache['objects']} objects, {cache['bytes'] / 1e6:.1f} MB"
    print_facts([
        ("vinculum", facts["vinculum"]),
        ("python", f"{facts['python']} on {facts['platform']}"),
        ("processor", f"{cpu['name']}, {cpu['cores']} cores, {cpu['doubles_per_vector']} doubles per vector"),
        ("engine", f"{engine['default']} (heyoka: {engine['heyoka']})"),
        ("cache", f"{cache['directory']} ({cache['state']}, {size})"),
    ])  # fmt: skip
    rows = [(name, version or "not installed", "") for name, version in facts["dependencies"].items()]
    rows += [(name, version or "not installed", extra) for extra, names in facts["extras"].items() if extra != "full"
             for name, version in names.items()]  # fmt: skip
    print_table(("package", "version", "extra"), rows)
    for problem in facts["problems"]:
        typer.echo(f"problem: {problem}", err=True)
    if not facts["problems"]:
        typer.echo("all is well")
