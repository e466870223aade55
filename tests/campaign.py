"""Random scenes with contact by every engine, audited and compared: ``python tests/campaign.py --scenes 500 --first 1000``.

Each scene runs in a worker process with a limit of processor time, so that a crash or a hang is counted and ends nothing.
"""

import argparse
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
import time as clock
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import final

import numpy as np

STEP = 1e-4
FINER = (4.0, 7.0, 16.0)
"""Parts of the time step that tell which engine is wrong: not powers of one another, as two may take a fork alike by chance."""
ENGINES = {"taylor": {}, "dop853": {}, "moreau": {"step": STEP}}
AGREE = 25.0
"""Motions agree that are nowhere farther from each other than the way at the largest speed in so many time steps: the first order."""
CLOSER = 0.5
"""Time steps that are shorter and come closer by this factor were only too long."""
LIMIT, INSTANTS = 240.0, 41
"""Processor time of a scene by one engine [s], compilation included, and instants at which motions are compared."""
WAITS = 10.0
"""Wall time that ends a scene, as multiple of the processor time allowed: a process may wait for others, and it may wait without end."""
SHUT, SHUT_BY_STEPS = 1e-8, 100.0 * STEP**2
"""Gaps [m] that count as closed in an event-driven run, which closes them exactly, and in time steps, which leave what an acceleration of
100 m/s² makes in a step."""
OTHER_STARTS = (1e-9, -1e-9)
"""Relative changes of all rates of a start. A motion that they change by the order of a time step forks: it grows errors a million times,
and time stepping makes errors that are larger than these."""
HARD_HIT = AGREE * STEP
"""Impulses above this part of the largest one move a body away by more than motions may differ, in a second."""
DEPENDENT = 1e-6
"""Principal minors of contact problems with unit diagonal that are below this are zero or negative."""
SLIPPING = 1e-6
"""Slips [m/s] above this have a direction, against which friction acts."""
CERTIFIED, HANDED_OVER = 0.97, 0.15
"""Targets: the least part of runs that is certified, and the largest that may need a span of time stepping."""
HANDED = "handed over to time stepping"
TOLD = "outcome: "
"""Begins the line of an outcome; compiled libraries print others."""


@final
@dataclass(frozen=True)
class Outcome:
    """How a scene went by one engine: "finished", "stopped" (an error of the library), "no motion" (it stopped where the laws of the scene
    have no motion, which `no_motion` shows without the engine), "crashed" or "hung"; and its certificate's verdict.

    ``path``: coordinates at instants of the run; ``speed``: the largest velocity; ``handed``: how often a span was handed over;
    ``said``: why it did not pass; ``loose``: see `first_loose`.
    """

    seed: int
    engine: str
    state: str
    verdict: str = ""
    said: str = ""
    handed: int = 0
    seconds: float = 0.0
    speed: float = 0.0
    path: tuple = ()
    loose: int = -1

    @property
    def certified(self) -> bool:
        return self.verdict == "passed"


def outcome(seed: int, engine: str, change: float = 0.0, **options) -> Outcome:
    """A scene by one engine, in this process; ``change``: the relative change of all rates of its start."""
    import vinculum as vc
    from no_motion import no_motion
    from scenes import scene

    begun = clock.perf_counter()
    took = lambda: round(clock.perf_counter() - begun, 2)
    one = scene(seed)
    try:
        start = _with_other_rates(one.start, change)
        motion = vc.simulate(one.system, one.until, start, method=engine, progress=False, grid=INSTANTS,
                             **ENGINES[engine] | options)  # fmt: skip
    except vc.errors.VinculumError as error:
        why = no_motion(one.system, getattr(error, "motion", None))
        said = f"{why}: {error}" if why else str(error)
        return Outcome(seed, engine, "no motion" if why else "stopped", said=said, seconds=took())
    except Exception as error:
        return Outcome(seed, engine, "crashed", said=f"{type(error).__name__}: {error}", seconds=took())
    handed, speed = sum(HANDED in line for line in motion.log), float(np.abs(motion.v).max(initial=0.0))
    path = tuple(map(tuple, motion.q.tolist()))
    try:
        certificate = motion.audit()
    except Exception as error:
        said = f"audit: {type(error).__name__}: {error}"
        return Outcome(seed, engine, "crashed", "", said, handed, took(), speed, path)
    bad = [f"{k.law} {k.residual:.1e}/{k.tolerance:.1e} {k.verdict}" for k in certificate.lines if k.verdict != "holds"]
    loose = first_loose(one.system, motion)
    return Outcome(seed, engine, "finished", certificate.verdict, "; ".join(bad), handed, took(), speed, path, loose)


def _with_other_rates(start: dict, change: float) -> dict:
    """A start whose rates are multiplied by 1 + ``change``; those that are zero stay so."""
    import vinculum as vc

    other = lambda given: vc.At(given.position, rate=(1.0 + change) * np.asarray(given.rate))
    return {k: other(one) if isinstance(one, vc.At) and one.rate is not None else one for k, one in start.items()}


def first_loose(system, motion) -> int:
    """The first instant of the grid until which the laws have stopped to determine the motion, or until which an event-driven run has
    met hits that time steps do not tell apart; -1 if there is none.

    Rigid bodies do not determine how contacts with dependent gaps share a load, and friction makes the motion depend on it. In
    Painlevé's region the matrix from normal forces to the accelerations of gaps is no P-matrix (a principal minor is not positive):
    there are several forces, or none (Painlevé 1895; Génot and Brogliato 1999). Every motion that keeps the laws is right then. Hits in
    turn that follow each other within the shortest time step are one hit for time stepping. Masses and Jacobians are those of the model;
    nothing of the engines enters.
    """
    from vinculum.motion.states import states_at, tape_groups

    record = motion.record
    stepped = record.method.claims.name == "moreau"
    hits = np.zeros(0) if stepped else np.unique(record.atoms.times)
    time = np.concatenate([motion.time, hits])
    found = tape_groups(record, "contacts", time, states_at(record, time))
    v = states_at(record, time)[:, -motion.v.shape[1] :]
    laws = [one.friction for one in system.unilaterals.values()]
    mu = np.array([0.0 if law is None else max(law.coefficients) for law in laws])
    near = (np.abs(found["gaps"]) < (SHUT_BY_STEPS if stepped else SHUT)) & (mu > 0.0)
    loose = [t for i, t in enumerate(time) if _is_loose({k: x[i] for k, x in found.items()}, v[i], near[i], mu)]
    loose += [] if stepped else _hits_in_turn(record.atoms)
    first = int(np.searchsorted(motion.time, min(loose, default=np.inf)))
    return first if first < len(motion.time) else -1


def _is_loose(here: dict[str, np.ndarray], v: np.ndarray, near: np.ndarray, mu: np.ndarray) -> bool:
    """Whether the normal forces of some closed contacts are not unique at a state."""
    closed = np.flatnonzero(near)
    if not len(closed):
        return False
    H, B = (here[name].reshape(-1, len(v)) for name in ("jacobians", "bilateral"))
    K = np.linalg.inv(here["mass_matrix"].reshape(len(v), len(v)))
    K = K - K @ B.T @ np.linalg.pinv(B @ K @ B.T) @ B @ K if len(B) else K
    slips = (H @ v + here["drifts"]).reshape(-1, 3)[closed, 1:]
    size = np.hypot(*slips.T)
    drags = np.where(size > SLIPPING, mu[closed] / np.where(size > SLIPPING, size, 1.0), 0.0)[:, None] * slips
    normals, across = H[3 * closed], np.stack([H[3 * closed + k] for k in (1, 2)], axis=1)
    scales = np.sqrt(np.diag(normals @ K @ normals.T))
    W = normals @ K @ (normals - np.einsum("ck,ckn->cn", drags, across)).T
    return _least_minor(W / np.outer(scales, scales)) < DEPENDENT


def _hits_in_turn(atoms) -> list[float]:
    """Instants at which a contact is hit hard, within the shortest time step of the judge after another one."""
    pressed = atoms.contact_impulses[:, ::3]
    hard = pressed > HARD_HIT * pressed.max(initial=0.0)
    times, which = atoms.times[hard.any(axis=1)], hard[hard.any(axis=1)]
    soon = (np.diff(times) < STEP / max(FINER)) & (np.diff(times) > 0.0) & np.any(which[1:] & ~which[:-1], axis=1)
    return times[1:][soon].tolist()


def _least_minor(W: np.ndarray) -> float:
    """The least principal minor of a matrix (n, n)."""
    chosen = (np.array(c) for k in range(1, len(W) + 1) for c in itertools.combinations(range(len(W)), k))
    return min(float(np.linalg.det(W[np.ix_(c, c)])) for c in chosen)


def distances(a: Outcome, b: Outcome) -> np.ndarray:
    """The distances of two motions at their instants, in ways of one time step."""
    way = STEP * max(a.speed, b.speed, 1e-3)
    return np.abs(np.array(a.path) - np.array(b.path)).max(axis=1) / way


def apart(a: Outcome, b: Outcome) -> float:
    """The largest distance of two motions, in ways of one time step."""
    return float(distances(a, b).max())


def is_free(event: Outcome, stepped: Outcome) -> bool:
    """Whether two motions part after contact forces ceased to be unique on one of them, or after hits that steps do not tell apart."""
    apart = int(np.argmax(distances(event, stepped) > AGREE))
    return any(0 <= one.loose <= apart for one in (event, stepped))


@final
@dataclass(frozen=True)
class Judgment:
    """Engines whose certified motion is ``wrong``: not that of the others, to the order of the step. ``open``: engines differ, and so do
    shorter time steps, or starts that differ by a billionth, so that nothing is told: the motion forks, or depends on everything.
    ``free``: engines differ once contact forces are not unique, or hits follow each other within the shortest time step."""

    wrong: tuple[str, ...] = ()
    open: bool = False
    free: bool = False


def judge(found: dict[str, Outcome], finer, other) -> Judgment:
    """Which engines are wrong. ``finer(part)``: the outcome of time steps that are shorter by this factor, asked for only where engines
    differ. They tell something only if all of them agree with each other. ``other(engine, change)``: the outcome of another start, asked
    for only where an engine seems wrong."""
    done = {name: one for name, one in found.items() if one.state == "finished"}
    stepped, events = done.get("moreau"), [one for name, one in done.items() if name != "moreau"]
    if stepped is None or not events:
        return Judgment()
    differing = [one for one in events if apart(one, stepped) > AGREE]
    suspects = [one for one in differing if not is_free(one, stepped)]
    if differing and not suspects:
        return Judgment(free=True)
    agreed = [stepped]
    for part in FINER:
        if not suspects:
            return Judgment()
        shorter = finer(part)
        if shorter.state != "finished":
            return Judgment(open=True)
        suspects = [s for s in suspects if AGREE < apart(s, shorter) > CLOSER * apart(s, stepped)]
        if suspects and any(apart(shorter, one) > AGREE for one in agreed):
            return Judgment(open=True)
        agreed.append(shorter)
    forks = lambda one: any(_is_changed(other(one.engine, change), one) for change in OTHER_STARTS)
    if suspects and any(map(forks, suspects)):
        return Judgment(open=True)
    wrong = [one.engine for one in suspects if one.certified]
    together = len(events) > 1 and len(suspects) == len(events) and apart(*events[:2]) <= 1.0
    if together and stepped.certified and not wrong:
        wrong.append("moreau")
    return Judgment(tuple(wrong))


def _is_changed(other: Outcome, one: Outcome) -> bool:
    """Whether a motion from another start leaves this one by the order of a time step."""
    return other.state == "finished" and apart(other, one) > AGREE


def _work() -> None:
    """Scenes by name from the standard input, outcomes to the standard output."""
    for line in sys.stdin:
        seed, engine, options = json.loads(line)
        print(TOLD + json.dumps(asdict(outcome(seed, engine, **options))), flush=True)


def _outcome_line(lines) -> str:
    return next((line for line in lines if line.startswith(TOLD)), "")


def _processor_time(process: int) -> float:
    """Processor time [s] of a process, by its clock (clock_getcpuclockid of POSIX, as Linux numbers it); wall time elsewhere."""
    try:
        return clock.clock_gettime((~process << 3) | 2)
    except (AttributeError, OSError):
        return clock.monotonic()


@final
class Worker:
    """A process that runs scenes, made anew after a crash or a hang."""

    def __init__(self, limit: float):
        self._limit, self._process = limit, None

    def run(self, seed: int, engine: str, **options) -> Outcome:
        if self._process is None:
            self._process = subprocess.Popen([sys.executable, __file__, "--work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        process, answer = self._process, []
        process.stdin.write(json.dumps([seed, engine, options]) + "\n")
        process.stdin.flush()
        reader = threading.Thread(target=lambda: answer.append(_outcome_line(process.stdout)), daemon=True)
        reader.start()
        used, begun = _processor_time(process.pid), clock.monotonic()
        while reader.is_alive():
            reader.join(1.0)
            waited = clock.monotonic() - begun
            if _processor_time(process.pid) - used > self._limit or waited > WAITS * self._limit:
                break
        if answer and answer[0]:
            return Outcome(**json.loads(answer[0].removeprefix(TOLD)))
        state = "hung" if reader.is_alive() else "crashed"
        process.kill()
        process.wait()
        self._process = None
        return Outcome(
            seed, engine, state, said="" if state == "hung" else f"the process ended with {process.returncode}"
        )

    def end(self) -> None:
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()


def campaign(seeds, engines, limit: float, workers: int, told=print) -> tuple[list[Outcome], dict[int, Judgment]]:
    """Outcomes of all seeds by all engines, and what is judged of each seed."""
    waiting, every, judged, lock = queue.SimpleQueue(), [], {}, threading.Lock()
    for seed in seeds:
        waiting.put(seed)

    def serve() -> None:
        worker = Worker(limit)
        while True:
            try:
                seed = waiting.get_nowait()
            except queue.Empty:
                return worker.end()
            found = {name: worker.run(seed, name) for name in engines}
            finer = lambda part, seed=seed: worker.run(seed, "moreau", step=STEP / part)
            judgment = judge(found, finer, lambda name, change, seed=seed: worker.run(seed, name, change=change))
            with lock:
                every.extend(found.values())
                judged[seed] = judgment
                marks = (
                    [f"WRONG {name}" for name in judgment.wrong] + ["OPEN"] * judgment.open + ["FREE"] * judgment.free
                )
                told(" | ".join([str(seed), *(_told(one) for one in found.values()), *marks]))

    threads = [threading.Thread(target=serve) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return every, judged


def _told(one: Outcome) -> str:
    said = "" if one.certified else f" ({one.said[:160]})"
    return f"{one.engine}: {one.verdict or one.state}{f' handed {one.handed}' if one.handed else ''} {one.seconds:.0f} s{said}"


def table(every: list[Outcome], engines: list[str], judged: dict[int, Judgment]) -> str:
    """Counts by engine, and the seeds behind those that should be zero."""
    kinds = "finished", "no motion", "stopped", "crashed", "hung"
    rows, seeds = (
        [("engine", "scenes", *kinds, "certified", "undecided", "failed", "wrong and certified", "handed over")],
        [],
    )
    for name in engines:
        mistaken = sorted(seed for seed, one in judged.items() if name in one.wrong)
        own = [one for one in every if one.engine == name]
        states, verdicts = Counter(one.state for one in own), Counter(one.verdict for one in own)
        share = 100.0 * sum(one.handed > 0 for one in own) / max(1, len(own))
        counts = [*(states[kind] for kind in kinds), *(verdicts[kind] for kind in ("passed", "undecided", "failed"))]
        rows.append((name, str(len(own)), *map(str, counts), str(len(mistaken)), f"{share:.1f} %"))
        for kind in kinds[1:]:
            seeds.append((f"{name} {kind}", sorted(one.seed for one in own if one.state == kind)))
        for kind in ("undecided", "failed"):
            seeds.append((f"{name} {kind}", sorted(one.seed for one in own if one.verdict == kind)))
        seeds.append((f"{name} wrong and certified", mistaken))
    seeds.append(
        (
            "engines differ, and so do shorter time steps or starts that differ by a billionth",
            sorted(seed for seed, one in judged.items() if one.open),
        )
    )
    seeds.append(
        (
            "engines differ where contact forces are not unique, or where hits follow each other within a step",
            sorted(seed for seed, one in judged.items() if one.free),
        )
    )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(lines + [f"{what}: {', '.join(map(str, which))}" for what, which in seeds if which])


def missed_targets(every: list[Outcome], engines: list[str], judged: dict[int, Judgment]) -> list[str]:
    """Which targets a campaign misses: every run finishes, enough are certified, none is wrong and certified, few are handed over. Where no
    motion exists there is none to finish."""
    missed = []
    for name in engines:
        own = [one for one in every if one.engine == name and one.state != "no motion"]
        if any(one.state != "finished" for one in own):
            missed.append(f"{name}: not every run finished")
        if sum(one.certified for one in own) < CERTIFIED * len(own):
            missed.append(f"{name}: fewer than {100 * CERTIFIED:g} % are certified")
        if any(name in one.wrong for one in judged.values()):
            missed.append(f"{name}: a wrong motion is certified")
        if sum(one.handed > 0 for one in own) > HANDED_OVER * len(own):
            missed.append(f"{name}: more than {100 * HANDED_OVER:g} % were handed over")
    return missed


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--scenes", type=int, default=500)
    given.add_argument("--first", type=int, default=1000, help="the first seed")
    given.add_argument("--engines", default=",".join(ENGINES))
    given.add_argument("--limit", type=float, default=LIMIT, help="seconds of processor time for a scene by one engine")
    given.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    given.add_argument("--out", type=Path, help="a file for all outcomes, as JSON")
    given.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    chosen = given.parse_args()
    if chosen.work:
        return _work()
    seeds, begun = range(chosen.first, chosen.first + chosen.scenes), clock.monotonic()
    engines = chosen.engines.split(",")
    every, judged = campaign(seeds, engines, chosen.limit, chosen.workers, lambda line: print(line, flush=True))
    if chosen.out is not None:
        chosen.out.write_text(json.dumps([asdict(one) for one in every]))
    print(f"\nseeds {seeds.start} to {seeds.stop - 1}, time steps of {STEP:g} s, {clock.monotonic() - begun:.0f} s")
    print(table(every, engines, judged))
    missed = missed_targets(every, engines, judged)
    if missed:
        raise SystemExit("\n".join(["targets missed:", *missed]))


if __name__ == "__main__":
    main()
