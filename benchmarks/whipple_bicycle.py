"""The Whipple bicycle: deriving, compiling, running and linearizing it, in a new process with an empty cache."""

import importlib.util
import os
import tempfile
import time
from pathlib import Path

import numpy as np
from _cases import report, sized

TARGET = 10.0
PUBLISHED = {
    "M": [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]],
    "C1": [[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]],
    "K0": [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]],
    "K2": [[0, 76.59734589573222], [0, 2.65431523794604]],
}
EIGENVALUES = (-0.322866429004087, -0.775341882195845 + 4.464867713788345j, -0.775341882195845 - 4.464867713788345j,
               -14.0783896927982)  # fmt: skip
OWN = ("frame.wx", "steer")


def example():
    path = Path(__file__).parents[1] / "examples" / "whipple_bicycle.py"
    spec = importlib.util.spec_from_file_location("whipple_bicycle_example", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def timed(work) -> tuple:
    """A result, and its seconds by the clock, or of processor time where those are fewer because others use the machine."""
    clock, used = time.perf_counter(), time.process_time()
    result = work()
    return result, min(time.perf_counter() - clock, time.process_time() - used)


def main() -> None:
    import vinculum as vc
    from vinculum.compile.targets.llvm import machine
    from vinculum.models.model_cache import model_for

    bike = example()
    pendulum = vc.System("warm-up")  # so that no import is counted
    pendulum.add(vc.MassPoint("bob", 1.0))
    pendulum.add(vc.Revolute("hinge", "ground", "bob", to=(0, 0, 1), axis=(0, 1, 0)))
    vc.simulate(pendulum, 0.1, {"hinge": 1.0}, progress=False)
    system = bike.bicycle()
    tape, derived = timed(lambda: model_for(system).tape("motion"))
    _, compiled = timed(lambda: machine.compile_tape(tape))
    motion, first = timed(
        lambda: vc.simulate(system, sized(5.0, 0.1), bike.upright(5.0, lean_rate=0.5), repair=True, progress=False)
    )
    linear, linearized = timed(lambda: vc.linearize(system, bike.upright(5.0), coordinates=OWN))
    _, again = timed(lambda: vc.linearize(system, bike.upright(4.0), coordinates=OWN))
    moving = linear.part(*OWN)
    still = vc.linearize(system, bike.upright(0.0), coordinates=OWN).part(*OWN).second_order
    M, C, K = moving.second_order
    found = {"M": M, "C1": C / 5.0, "K0": still.K / 9.81, "K2": (K - still.K) / 25.0}
    apart = max(np.abs(found[name] - np.array(known)).max() for name, known in PUBLISHED.items())
    report("whipple_bicycle", [{"operations": len(tape.code), "derive s": derived, "compile s": compiled, "first run s": first,
                                "derive + compile + first run s": derived + compiled + first, "at most": TARGET,
                                "linearize s": linearized, "again s": again, "matrices off by": float(apart),
                                "eigenvalues off by": float(np.abs(moving.eigenvalues - EIGENVALUES).max()),
                                "energy drift": float(np.ptp(motion.energy) / abs(motion.energy[0])),
                                "certified": motion.audit().passed}])  # fmt: skip


if __name__ == "__main__" and sized(False, True):
    main()
elif __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.chmod(cache, 0o700)
        os.environ["VINCULUM_CACHE"] = cache
        main()
