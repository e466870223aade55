"""Fuzzing: mutated model files, wrong calls, damaged stores and killed processes. `make fuzz` runs all and prints the counts.

python tests/fuzz.py --seed 1 --files 100000 --calls 10000 --stores 1000 --kills 200
"""

import argparse
import copy
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time as clock
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import vinculum as vc
from stores import RUNS, content_of, stored, write_content, write_head
from wrong_calls import LONG, WRONG, TooSlow, at_most, calls, fault

ROOT = Path(__file__).resolve().parents[1]
SLOWEST = 60.0
"""Seconds for one file, call or store."""
ODD = ["0", "-1", "1e308", "1e-310", "nan", "inf", "-inf", "1e400", "10" * 200, "true", '""', '"x"', "[]", "[1]", "[[1], [1, 2]]", "{}",
       '"1 kg"', '"3 furlong"', '"q"', '"1/0"', '"sin("', '"r*r*r**9"', '"hypot(1e200,1e200)"', '"__import__"', '"a.b.c"', "1979-05-27",
       "0x10", '"\\u0000"', '"' + "x" * 3000 + '"', "1000000000", '"1e5 m/s^2"', '"30 deg"', "[0, 0, 0]",
       '["a", "b"]', "{kind = 3}"]  # fmt: skip
WORDS = re.compile(r'"[^"\n]*"|[\w.+-]+|[\[\]{}=,]')


def mutated_text(rng: random.Random, text: str, others: list[str]) -> str:
    """A model file with one to four things wrong in it."""
    for _ in range(rng.randint(1, 4)):
        lines = text.split("\n")
        i = rng.randrange(len(lines))
        words = list(WORDS.finditer(lines[i]))
        way = rng.randrange(9)
        if way == 0:
            del lines[i]
        elif way == 1:
            lines.insert(i, lines[rng.randrange(len(lines))])
        elif way == 2:
            lines.insert(i, rng.choice(rng.choice(others).split("\n")))
        elif way == 3 and words:
            word = rng.choice(words)
            lines[i] = lines[i][: word.start()] + rng.choice(ODD) + lines[i][word.end() :]
        elif way == 4 and words:
            word = rng.choice(words)
            other = rng.choice(list(WORDS.finditer(text)) or words).group()
            lines[i] = lines[i][: word.start()] + other + lines[i][word.end() :]
        elif way == 5 and lines[i]:
            k = rng.randrange(len(lines[i]))
            lines[i] = (
                lines[i][:k]
                + chr(rng.choice([0, 9, 34, 39, 61, 91, 92, 93, 123, 125, 0xE9, 0x3A9, 0x1F600]))
                + lines[i][k:]
            )
        elif way == 6 and len(lines[i]) > 1:
            k = rng.randrange(len(lines[i]) - 1)
            lines[i] = lines[i][:k] + lines[i][k + 1 :]
        elif way == 7 and "=" in lines[i]:
            lines[i] = lines[i].partition("=")[0] + "= " + rng.choice(ODD)
        elif way == 8:
            j = rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
        text = "\n".join(lines)
    return text


def quietly(action: Callable[[], Any]) -> str | None:
    """What is wrong with an answer: anything but a result or an error of the house."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), at_most(SLOWEST):
            warnings.simplefilter("ignore")
            action()
    except vc.errors.VinculumError:
        return None
    except TooSlow as error:
        return str(error)
    except Exception as error:
        where = [f for f in traceback.extract_tb(error.__traceback__) if "vinculum" in f.filename]
        return (
            f"{type(error).__name__}: {str(error)[:120]} at {Path(where[-1].filename).name}:{where[-1].lineno}"
            if where
            else repr(error)
        )
    return None


def fuzz_files(seed: int, count: int) -> Iterator[str]:
    """Faults in reading ``count`` mutated model files."""
    rng = random.Random(seed)
    texts = [path.read_text() for path in sorted((ROOT / "examples").glob("*.toml"))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.toml")
        for number in range(count):
            text = mutated_text(rng, rng.choice(texts), texts)
            path.write_text(text, encoding="utf-8", errors="surrogatepass")
            told = quietly(lambda: vc.read_model(path))
            if told is not None:
                yield f"file {number}: {told}\n{text}"


def fuzz_calls(seed: int, count: int) -> Iterator[str]:
    """Faults of ``count`` wrong calls with one or two wrong values each."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "examples", Path(folder, "examples"))
        os.chdir(folder)
        yield from _wrong_calls(rng, count)
        os.chdir(ROOT)


def _wrong_calls(rng: random.Random, count: int) -> Iterator[str]:
    every = [call for call in calls() if call.given]
    for _ in range(count):
        call = rng.choice(every)
        argument, kind = rng.choice(list(call.given)), rng.choice(list(WRONG))
        other, second = rng.choice(list(call.given)), rng.choice(list(WRONG))
        if (argument, kind) in LONG or (other, second) in LONG:
            continue
        if rng.random() < 0.5:
            told = fault(call, argument, kind, SLOWEST)
            if told is not None:
                yield f"{call.name}, {argument} = {kind}: {told}"
        else:
            told = quietly(lambda: call.run(**{argument: WRONG[kind](), other: WRONG[second]()}))  # noqa: B023
            if told is not None:
                yield f"{call.name}, {argument} = {kind}, {other} = {second}: {told}"


def _paths(content, path=()) -> Iterator[tuple]:
    """Places of a nested structure."""
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from _paths(value, (*path, key))


ODD_VALUES = [
    None,
    True,
    -1,
    0,
    1,
    7,
    10**9,
    10**30,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "x",
    [],
    [1],
    {},
    {"a": 1},
    [[1], [1, 2]],
    0.5,
]


def damage(rng: random.Random, run: Path) -> bool:
    """Damage a store in some way; whether the damage is one that somebody made who knows the format."""
    files = [path for path in sorted(run.rglob("*")) if path.is_file()]
    path, way = rng.choice(files), rng.randrange(10)
    content = path.read_bytes()
    if way == 0:
        path.unlink()
    elif way == 1:
        path.write_bytes(content[: rng.randrange(len(content) + 1)])
    elif way == 2:
        path.write_bytes(rng.choice(files).read_bytes())
    elif way == 3:
        path.write_bytes(rng.randbytes(rng.randrange(200)))
    elif way == 4:
        path.write_bytes(content + rng.randbytes(8))
    elif way <= 6 and content:
        k = rng.randrange(len(content))
        path.write_bytes(content[:k] + bytes([content[k] ^ (1 << rng.randrange(8))]) + content[k + 1 :])
    elif way == 7:
        head = json.loads((run / "zarr.json").read_bytes())["attributes"]
        write_head(run, **{rng.choice(list(head)): rng.choice(ODD_VALUES)})
        return True
    else:
        name = "phases" if (run / "phases").exists() and rng.random() < 0.3 else "model"
        model = copy.deepcopy(content_of(run, name))
        for _ in range(rng.randint(1, 2)):
            place = rng.choice(list(_paths(model)))
            inside = model
            for part in place[:-1]:
                inside = inside[part]
            value = inside[place[-1]]
            if isinstance(inside, list) and rng.random() < 0.2:
                del inside[place[-1]]
            else:
                inside[place[-1]] = (
                    value * rng.choice([-1, 2])
                    if type(value) in (int, float) and rng.random() < 0.5
                    else rng.choice(ODD_VALUES)
                )
        write_content(run, model, name)
        return True
    return False


def fuzz_stores(seed: int, count: int) -> Iterator[str]:
    """Faults in loading and auditing ``count`` damaged stores; what loads after plain damage must be what was saved."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        names = list(RUNS)
        whole = {name: vc.load(stored(name, Path(folder))) for name in names}
        states = {name: (motion.time.copy(), motion.q.copy(), motion.log) for name, motion in whole.items()}
        for number in range(count):
            name = rng.choice(names)
            run = Path(folder, f"damaged{number}.zarr")
            shutil.copytree(Path(folder, f"{name}.zarr"), run)
            skilled = damage(rng, run)
            found: list[Any] = []

            def look(run=run, found=found):
                motion = vc.load(run)
                found.append((motion.time.copy(), motion.q.copy(), motion.log))
                list(motion.record.pieces.blocks())
                motion.audit()

            told = quietly(look)
            if told is not None:
                yield f"store {number} of {name}, {'skilled' if skilled else 'plain'} damage: {told}"
            elif (
                found
                and not skilled
                and not all(np.array_equal(a, b) for a, b in zip(found[0], states[name], strict=True))
            ):
                yield f"store {number} of {name}: plain damage went unseen"
            shutil.rmtree(run, ignore_errors=True)


def fuzz_kills(seed: int, count: int) -> Iterator[str]:
    """Faults after ``count`` kills in the middle of saving and streaming: the earlier run or the new one is whole, and can be replaced."""
    import zarr  # noqa: F401  # here, so that the children do not spend their lives on it

    rng, caught = random.Random(seed), 0
    runs = [_short(until) for until in (1.0, 2.0)]
    runs[0].audit()
    ends = [float(motion.record.pieces.end) for motion in runs]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "run.zarr")
        _in_child(lambda: runs[0].save(place))
        for number in range(count):
            child = os.fork()
            if child == 0:
                _write_forever(rng.random(), runs, place, number % 2 == 1)
            clock.sleep(rng.uniform(0.02, 0.3))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            caught += any(name.startswith(".") for name in os.listdir(folder))
            if _in_child(lambda: _check_whole(place, ends, number % 20 == 0)) != 0:  # noqa: B023
                yield f"kill {number}: the run is neither the earlier nor the new one: {sorted(os.listdir(folder))}"
            if number % 10 == 9 and _in_child(lambda: runs[0].save(place)) != 0:
                yield f"kill {number}: nothing can be saved there any more"
    print(f"{caught} of {count} kills came in the middle of writing", flush=True)


def _short(until: float, **more) -> Any:
    system = vc.System("swing", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("a", 1.0, (0, 0, -0.5), (0.1, 0.2, 0.25)))
    system.add(vc.Revolute("j", "ground", "a", axis=(0, 1, 0)))
    return vc.simulate(system, until, {"j": 0.3}, method="dop853", grid=50, progress=False, **more)


def _write_forever(offset: float, runs, place: Path, stream: bool) -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        while True:
            for motion, until in zip(runs, (1.0, 2.0), strict=True):
                if stream:
                    _short(until, out=place)
                else:
                    motion.save(place)
    finally:
        os._exit(1)


def _check_whole(place: Path, ends: list[float], audited: bool) -> None:
    """The run at its place, or what its absence names, is one of those that were saved."""
    beside = [place, place.with_name(f".{place.name}.old")]
    loaded = vc.load(next((path for path in beside if path.exists()), place))
    assert float(loaded.record.pieces.end) in ends and np.isfinite(loaded.q).all()
    assert not audited or loaded.audit().passed


def _in_child(action: Callable[[], None]) -> int:
    """The exit code of an action in a process of its own."""
    child = os.fork()
    if child == 0:
        try:
            action()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


PARTS: dict[str, tuple[Callable[[int, int], Iterator[str]], int]] = {
    "files": (fuzz_files, 5000),
    "calls": (fuzz_calls, 5000),
    "stores": (fuzz_stores, 250),
    "kills": (fuzz_kills, 100),
}
"""What is fuzzed, and how much of it one process does."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    for part, (_, share) in PARTS.items():
        parser.add_argument(f"--{part}", type=int, default=0, help=f"in shares of {share}")
    parser.add_argument("--share", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.share:
        function, _ = PARTS[given.share]
        faults = 0
        for told in function(given.seed, getattr(given, given.share)):
            print(told, flush=True)
            faults += 1
        return min(faults, 100)
    worst = 0
    for part, (_, share) in PARTS.items():
        wanted, begun, faults, crashes, done = getattr(given, part), clock.monotonic(), 0, 0, 0
        while done < wanted:
            size = min(share, wanted - done)
            command = [
                sys.executable,
                __file__,
                "--share",
                part,
                f"--{part}",
                str(size),
                "--seed",
                str(given.seed * 1000 + done // share),
            ]
            code = subprocess.run(command, check=False).returncode
            faults, crashes, done = faults + max(code, 0), crashes + (code < 0 or code > 100), done + size
        worst += faults + crashes
        if wanted:
            print(
                f"{part}: {done} tried, {faults} faults, {crashes} crashes, seed {given.seed}, {clock.monotonic() - begun:.0f} s",
                flush=True,
            )
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
