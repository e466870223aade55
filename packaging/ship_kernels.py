"""Compile the kernels that a platform wheel ships: `python packaging/ship_kernels.py FOLDER`.

The runs of `first_runs.py` are made with an empty cache and Numba told to compile for the processor of `shipped.TARGETS`; what they leave
in the cache, arranged by the folders of the package, and a manifest become package data (`vinculum/shipped`).
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src"


def ship_kernels(folder: Path) -> int:
    """Fill ``folder`` and return the number of its files."""
    sys.path.insert(0, str(SOURCES))
    from numba.core import caching

    from vinculum.compile.disk import numba_cache, shipped

    target = shipped.TARGETS.get(platform.machine())
    if target is None:
        raise SystemExit(
            f"no processor is known for the kernels of a machine {platform.machine()!r}; see shipped.TARGETS"
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {
            "VINCULUM_CACHE": cache,
            "NUMBA_CPU_NAME": target.cpu,
            "NUMBA_CPU_FEATURES": target.features,
            "PYTHONPATH": os.pathsep.join([str(SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])]),
        }
        subprocess.run([sys.executable, ROOT / "packaging" / "first_runs.py"], check=True, env=environment)
        for place in (path for path in [numba_cache.PACKAGE, *numba_cache.PACKAGE.rglob("*")] if path.is_dir()):
            subpath = caching.UserProvidedCacheLocator.get_suitable_cache_subpath(str(place / "any.py"))
            made = Path(cache, "numba", subpath)
            if made.is_dir():
                shutil.copytree(made, folder / place.relative_to(numba_cache.PACKAGE), dirs_exist_ok=True)
    manifest = shipped.made_here(target)._asdict()
    (folder / shipped.MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:
        path.chmod(0o644)
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
    return len(files)


if __name__ == "__main__":
    count = ship_kernels(Path(sys.argv[1]).resolve())
    print(f"{count} files of compiled kernels", flush=True)
