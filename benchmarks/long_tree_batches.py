"""Forward dynamics of trees of 500 hinges in batches, next to Pinocchio's articulated-body algorithm."""

import time

import numpy as np
from _cases import in_pinocchio, in_vinculum, peer, random_tree, report, sized
from forward_dynamics import in_turn, pinocchio_works

import vinculum as vc
from vinculum.compile.evaluate import compile_for_again
from vinculum.derivations.forward_dynamics.tapes import accelerations_tape
from vinculum.motion import model_for

BATCH, JOINTS, ROUNDS = sized(512, 16), sized(500, 5), sized(5, 1)
AT_MOST = 0.7
"""Time relative to Pinocchio's."""
pin = peer("pinocchio")


def row(chain: bool) -> dict:
    links = random_tree(JOINTS, chain, seed=time.time_ns() % 1_000_000)  # no cache has such equations
    system = in_vinculum(links)
    Q, V, T = np.random.default_rng(1).normal(size=(3, BATCH, JOINTS))
    V *= 0.1
    out = np.empty((BATCH, JOINTS))
    began = time.process_time()
    tape = accelerations_tape(model_for(system), (), True)
    traced = time.process_time() - began
    compile_for_again(tape)
    compiled = time.process_time() - began - traced
    vc.forward_dynamics(system, Q, V, T, out)
    works = {"vinculum": lambda: vc.forward_dynamics(system, Q, V, T, out)}
    error = None
    if pin:
        model = in_pinocchio(links)
        data = model.createData()
        exact = np.array([pin.aba(model, data, q, v, t) for q, v, t in zip(Q[:64], V[:64], T[:64], strict=True)])
        vc.forward_dynamics(system, Q, V, T, out)
        error = float(np.median(np.abs(out[:64] - exact).max(axis=1) / np.abs(exact).max(axis=1)))
        works |= pinocchio_works(model, Q, V, T)
    times = in_turn(works, ROUNDS, {})
    theirs = min(times["loop"], times["parallel"]) if pin else None
    return {"tree": "chain" if chain else "random tree", "joints": JOINTS, "states": BATCH, "operations": len(tape.code),
            "trace CPU s": traced, "compile CPU s": compiled, "vinculum µs": 1e6 * times["vinculum"] / BATCH,
            "pinocchio loop µs": 1e6 * times["loop"] / BATCH if pin else None,
            "pinocchio parallel µs": 1e6 * times["parallel"] / BATCH if pin else None,
            "ours / theirs": times["vinculum"] / theirs if theirs else None, "at most": AT_MOST,
            "median error": error}  # fmt: skip


def main() -> None:
    report("long_tree_batches", [row(chain) for chain in (False, True)])


if __name__ == "__main__":
    main()
