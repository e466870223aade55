"""Every benchmark in a process of its own, then the page; one that fails does not stop the others, and is named at the end.

`python benchmarks/_all.py [--quick] [NAME ...]`; a benchmark that takes longer than `LIMIT` seconds is ended.
"""

import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
LIMIT = 1800.0


def run(script: Path, options: list[str]) -> str:
    """Why a benchmark failed; nothing if it did not."""
    print(f"== {script.stem}", flush=True)
    began = time.perf_counter()
    try:
        code = subprocess.run([sys.executable, script, *options], cwd=HERE.parent, timeout=LIMIT).returncode
    except subprocess.TimeoutExpired:
        return f"did not end in {LIMIT:g} s"
    print(f"   {time.perf_counter() - began:.0f} s", flush=True)
    return f"exit code {code}" if code else ""


def main(words: list[str]) -> int:
    options, names = [w for w in words if w.startswith("--")], [w for w in words if not w.startswith("--")]
    scripts = sorted(p for p in HERE.glob("*.py") if not p.name.startswith("_"))
    failed = {p.stem: why for p in scripts if (not names or p.stem in names) and (why := run(p, options))}
    if "--quick" not in options:
        subprocess.run([sys.executable, HERE / "_page.py"], check=True)
    for name, why in failed.items():
        print(f"FAILED: {name}: {why}; its rows on the page are older")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
