"""Compile the kernels that a platform wheel ships: `python packaging/ship_kernels.py FOLDER`.

The runs of `first_runs.py` are made with a cache of their own (`build/kernels`, so that a second build compiles what has changed) and Numba
told to compile for the processor of `shipped.TARGETS`; what they leave in the cache, arranged by the folders of the package, and a manifest
become package data (`vinculum/shipped`).
"""

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src"
RUN_ALL = """
import runpy, sys
sources, script = sys.argv[1:]
sys.path.insert(0, sources)
sys.argv = [script, "--all"]
runpy.run_path(script, run_name="__main__")
"""
"""The sources come first on the path of the process itself: pip takes those of an editable installation off PYTHONPATH while it builds."""


def ship_kernels(folder: Path) -> int:
    """Fill ``folder`` and return the number of its files."""
    sys.path.insert(0, str(SOURCES))
    from vinculum.compile.disk import numba_cache, shipped

    target = shipped.TARGETS.get(platform.machine())
    if target is None:
        raise SystemExit(f"shipped.TARGETS names no processor for kernels of a machine {platform.machine()!r}")
    cache = ROOT / "build" / "kernels"
    environment = os.environ | compiling_for(target) | {"VINCULUM_CACHE": str(cache)}
    subprocess.run(
        [sys.executable, "-c", RUN_ALL, str(SOURCES), str(ROOT / "packaging" / "first_runs.py")],
        check=True,
        env=environment,
    )
    shutil.rmtree(folder, ignore_errors=True)
    arrange(cache, numba_cache.PACKAGE, folder)
    (folder / shipped.MANIFEST).write_text(json.dumps(shipped.made_here(target)._asdict(), indent=1) + "\n", "utf-8")
    return sum(path.is_file() for path in folder.rglob("*"))


def compiling_for(target) -> dict[str, str]:
    """Variables with which Numba compiles for a processor, whatever the one it runs on."""
    return {"NUMBA_CPU_NAME": target.cpu, "NUMBA_CPU_FEATURES": target.features}


def arrange(cache: Path, package: Path, folder: Path) -> None:
    """Copy what a cache holds of the functions of a package, folder by folder, for all to read."""
    from numba.core import caching

    for place in (path for path in [package, *package.rglob("*")] if path.is_dir()):
        made = cache / "numba" / caching.UserProvidedCacheLocator.get_suitable_cache_subpath(str(place / "any.py"))
        for path in made.iterdir() if made.is_dir() else ():
            target = folder / place.relative_to(package) / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())


if __name__ == "__main__":
    count = ship_kernels(Path(sys.argv[1]).resolve())
    print(f"{count} files of compiled kernels", flush=True)
