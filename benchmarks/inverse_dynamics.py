"""Inverse dynamics of random trees in batches by `vc.inverse_dynamics`, next to Pinocchio's Newton–Euler recursion."""

import time

import numpy as np
from _cases import in_pinocchio, in_vinculum, over, peer, random_tree, report, sized
from forward_dynamics import BATCH, ROUNDS, in_turn

import vinculum as vc

TARGET = 35.0
pin = peer("pinocchio")


def pinocchio_works(model, Q, V, A) -> dict:
    data = model.createData()
    pool = pin.ModelPool(model, 2)
    result = np.empty((model.nv, len(Q)), order="F")
    arguments = [np.asfortranarray(x.T) for x in (Q, V, A)]

    def loop():
        for q, v, a in zip(Q, V, A, strict=True):
            pin.rnea(model, data, q, v, a)

    return {"loop": loop, "parallel": lambda: pin.rneaInParallel(2, pool, *arguments, result)}


def main() -> None:
    rows = []
    for joints in sized((7, 30), (3,)):
        links = random_tree(joints)
        system = in_vinculum(links)
        Q, V, A = np.random.default_rng(1).normal(size=(3, BATCH, joints))
        began = time.perf_counter()
        for _ in range(sized(12, 1)):
            found = vc.inverse_dynamics(system, Q, V, A).forces
        first = time.perf_counter() - began
        works = {"vinculum": lambda system=system, given=(Q, V, A): vc.inverse_dynamics(system, *given).forces}
        error = None
        if pin:
            model = in_pinocchio(links)
            data = model.createData()
            exact = np.array([pin.rnea(model, data, q, v, a) for q, v, a in zip(Q[:64], V[:64], A[:64], strict=True)])
            error = float(np.abs(found[:64] - exact).max() / np.abs(exact).max())
            works |= pinocchio_works(model, Q, V, A)
        times = in_turn(works, ROUNDS, {"vinculum": 4, "parallel": 2})
        theirs = min(times["loop"], times["parallel"]) if pin else None
        rows.append({"joints": joints, "first calls s": first, "vinculum ns": 1e9 * times["vinculum"] / BATCH,
                     "pinocchio loop ns": 1e9 * times["loop"] / BATCH if pin else None,
                     "pinocchio parallel ns": 1e9 * times["parallel"] / BATCH if pin else None,
                     "ratio": over(theirs, times["vinculum"]), "target": TARGET, "error": error})  # fmt: skip
    report("inverse_dynamics", rows)


if __name__ == "__main__":
    main()
