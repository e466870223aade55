"""Forward dynamics of random trees in batches, next to Pinocchio's articulated-body algorithm."""

import time

import numpy as np
import pinocchio as pin
from _cases import best, in_pinocchio, in_vinculum, random_tree, report

from vinculum.equations import articulated, composite
from vinculum.kernels import llvm
from vinculum.kernels.trace import trace
from vinculum.scalars import symbols

BATCH = 8192
TARGET = {7: 40.0, 30: 28.0}


def vinculum_kernel(tree):
    """The tape (q, v, τ) → v̇ that a model would choose, compiled; with the time of tracing and of compiling."""
    start = time.perf_counter()
    q, v, tau = symbols("q", tree.nq), symbols("v", tree.nv), symbols("tau", tree.nv)
    inputs = {"q": q, "v": v, "tau": tau}
    routes = [articulated.accelerations] + ([composite.accelerations] if tree.nv <= 10 else [])
    tape = min((trace(inputs, {"a": route(tree, q, v, tau)}) for route in routes), key=lambda t: len(t.code))
    traced = time.perf_counter()
    machine = llvm._target()[0]
    import llvmlite.binding as binding

    llvm._machine_code(binding, machine, llvm.assembly(tape))
    compiled = time.perf_counter()
    return llvm.compile_tape(tape), tape, traced - start, compiled - traced


def pinocchio_times(model, Q, V, T) -> tuple[float, float]:
    data = model.createData()

    def loop():
        for q, v, t in zip(Q, V, T, strict=True):
            pin.aba(model, data, q, v, t)

    pool = pin.ModelPool(model, 2)
    result = np.empty((model.nv, len(Q)), order="F")
    arguments = [np.asfortranarray(x.T) for x in (Q, V, T)]
    return best(loop, 3) / len(Q), best(lambda: pin.abaInParallel(2, pool, *arguments, result), 7) / len(Q)


def main() -> None:
    rows = []
    for joints in (7, 30):
        links = random_tree(joints)
        tree = in_vinculum(links).tree()
        kernel, tape, traced, compiled = vinculum_kernel(tree)
        rng = np.random.default_rng(1)
        Q, V, T = rng.normal(size=(3, BATCH, joints))
        X = np.hstack([Q, V, T])
        model = in_pinocchio(links)
        data = model.createData()
        reference = np.array([pin.aba(model, data, q, v, t) for q, v, t in zip(Q[:64], V[:64], T[:64], strict=True)])
        error = np.abs(kernel(X)[:64] - reference).max() / np.abs(reference).max()
        one, parallel = pinocchio_times(model, Q, V, T)
        out = np.empty((BATCH, joints))
        ours = best(lambda kernel=kernel, X=X, out=out: kernel(X, out=out), 101) / BATCH
        ours_one = best(lambda kernel=kernel, X=X, out=out: kernel(X, threads=1, out=out), 31) / BATCH
        rows.append({"joints": joints, "operations": len(tape.code), "trace s": traced, "compile s": compiled,
                     "vinculum ns": ours * 1e9, "one core ns": ours_one * 1e9, "pinocchio loop ns": one * 1e9,
                     "pinocchio parallel ns": parallel * 1e9, "ratio": min(one, parallel) / ours, "target": TARGET[joints],
                     "error": error})  # fmt: skip
    report("forward_dynamics", rows)


if __name__ == "__main__":
    main()
