"""Forward dynamics of random trees in batches by `vc.forward_dynamics`, next to Pinocchio's articulated-body algorithm."""

import time

import numpy as np
from _cases import in_pinocchio, in_vinculum, over, peer, random_tree, report, sized

import vinculum as vc
from vinculum.compile.evaluate import compile_for_again
from vinculum.derivations.forward_dynamics.tapes import accelerations_tape
from vinculum.motion import model_for

BATCH = sized(8192, 64)
TARGET = {7: 40.0, 30: 28.0}
ROUNDS = sized(60, 1)
pin = peer("pinocchio")


def kernel_work(system, Q, V, T, out):
    """The bare machine code on the same numbers, stacked beforehand as its inputs: without a public call around it."""
    tape = accelerations_tape(model_for(system), (), True)
    code = compile_for_again(tape)
    rest = np.zeros((len(Q), tape.n_in - Q.shape[1] - V.shape[1] - T.shape[1]))
    X = np.ascontiguousarray(np.hstack([Q, V, T, rest]))
    return lambda: code(X, out=out)


def pinocchio_works(model, Q, V, T) -> dict:
    data = model.createData()
    pool = pin.ModelPool(model, 2)
    result = np.empty((model.nv, len(Q)), order="F")
    arguments = [np.asfortranarray(x.T) for x in (Q, V, T)]

    def loop():
        for q, v, t in zip(Q, V, T, strict=True):
            pin.aba(model, data, q, v, t)

    return {"loop": loop, "parallel": lambda: pin.abaInParallel(2, pool, *arguments, result)}


def in_turn(works: dict, rounds: int, calls: dict[str, int]) -> dict[str, float]:
    """The shortest time of each [s], all in turn, so that a busy machine hits all alike; ``calls``: of each in a turn."""
    times = dict.fromkeys(works, np.inf)
    for _ in range(rounds):
        for name, work in works.items():
            for _ in range(calls.get(name, 1)):
                began = time.perf_counter()
                work()
                times[name] = min(times[name], time.perf_counter() - began)
    return times


def main() -> None:
    rows = []
    for joints in sized((7, 30), (3,)):
        links = random_tree(joints)
        system = in_vinculum(links)
        Q, V, T = np.random.default_rng(1).normal(size=(3, BATCH, joints))
        out = np.empty((BATCH, joints))
        began = time.perf_counter()
        for _ in range(sized(4, 1)):
            vc.forward_dynamics(system, Q, V, T, out)
        first = time.perf_counter() - began
        works = {
            "vinculum": lambda system=system, given=(Q, V, T), out=out: vc.forward_dynamics(system, *given, out),
            "new": lambda system=system, given=(Q, V, T): vc.forward_dynamics(system, *given),
        }
        works["kernel"] = kernel_work(system, Q, V, T, np.empty_like(out))
        error = None
        if pin:
            model = in_pinocchio(links)
            data = model.createData()
            exact = np.array([pin.aba(model, data, q, v, t) for q, v, t in zip(Q[:64], V[:64], T[:64], strict=True)])
            error = float(np.abs(out[:64] - exact).max() / np.abs(exact).max())
            works |= pinocchio_works(model, Q, V, T)
        times = in_turn(works, ROUNDS, {"vinculum": 4, "new": 4, "kernel": 4, "parallel": 2})
        theirs = min(times["loop"], times["parallel"]) if pin else None
        rows.append({"joints": joints, "first calls s": first, "vinculum ns": 1e9 * times["vinculum"] / BATCH,
                     "of kernel": times["kernel"] / times["vinculum"],
                     "into a new array ns": 1e9 * times["new"] / BATCH,
                     "pinocchio loop ns": 1e9 * times["loop"] / BATCH if pin else None,
                     "pinocchio parallel ns": 1e9 * times["parallel"] / BATCH if pin else None,
                     "ratio": over(theirs, times["vinculum"]), "target": TARGET.get(joints), "error": error})  # fmt: skip
    report("forward_dynamics", rows)


if __name__ == "__main__":
    main()
