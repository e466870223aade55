"""Inverse dynamics of random trees in batches by Telegin's equations, next to Pinocchio's Newton–Euler recursion."""

import time

import numpy as np
import pinocchio as pin
from _cases import best, in_pinocchio, in_vinculum, random_tree, report

import vinculum as vc
from vinculum.derivations.inverse_tapes import forces_tape
from vinculum.kernels import llvm
from vinculum.kernels.models import model_for

BATCH = 8192
TARGET = 20.0


def pinocchio_times(model, Q, V, A) -> tuple[float, float]:
    data = model.createData()

    def loop():
        for q, v, a in zip(Q, V, A, strict=True):
            pin.rnea(model, data, q, v, a)

    pool = pin.ModelPool(model, 2)
    result = np.empty((model.nv, len(Q)), order="F")
    arguments = [np.asfortranarray(x.T) for x in (Q, V, A)]
    return best(loop, 3) / len(Q), best(lambda: pin.rneaInParallel(2, pool, *arguments, result), 15) / len(Q)


def main() -> None:
    rows = []
    for joints in (7, 30):
        links = random_tree(joints)
        system = in_vinculum(links)
        start = time.perf_counter()
        tape = forces_tape(model_for(system), "telegin", ())
        traced = time.perf_counter() - start
        kernel = llvm.compile_tape(tape)
        Q, V, A = np.random.default_rng(1).normal(size=(3, BATCH, joints))
        X, out = np.hstack([Q, V, A]), np.empty((BATCH, joints))
        model = in_pinocchio(links)
        data = model.createData()
        reference = np.array([pin.rnea(model, data, q, v, a) for q, v, a in zip(Q[:64], V[:64], A[:64], strict=True)])
        found = vc.inverse_dynamics(system, Q, V, A).forces
        for _ in range(12):
            vc.inverse_dynamics(system, Q, V, A)
        error = np.abs(found[:64] - reference).max() / np.abs(reference).max()
        one, parallel = pinocchio_times(model, Q, V, A)
        ours = best(lambda kernel=kernel, X=X, out=out: kernel(X, out=out), 101) / BATCH
        ours_one = best(lambda kernel=kernel, X=X, out=out: kernel(X, threads=1, out=out), 31) / BATCH
        public = best(lambda system=system, Q=Q, V=V, A=A: vc.inverse_dynamics(system, Q, V, A).forces, 31) / BATCH
        rows.append({"joints": joints, "operations": len(tape.code), "trace s": traced, "vinculum ns": ours * 1e9,
                     "one core ns": ours_one * 1e9, "checked call ns": public * 1e9, "pinocchio loop ns": one * 1e9,
                     "pinocchio parallel ns": parallel * 1e9, "ratio": min(one, parallel) / ours, "target": TARGET,
                     "error": error})  # fmt: skip
    report("inverse_dynamics", rows)


if __name__ == "__main__":
    main()
