"""Deriving, compiling and evaluating the n-link pendulum on a cart, next to SymPy's KanesMethod and lambdify."""

import os
import sys
import tempfile
import time

import numpy as np
import sympy
from _cases import best, report, sized
from sympy.physics.mechanics import find_dynamicsymbols
from sympy.physics.mechanics.models import n_link_pendulum_on_cart

import vinculum as vc

BATCH = sized(8192, 16)


def cart_pendulum(n: int) -> vc.System:
    """Point masses on massless rods standing on a cart, angle 0 upright, all numbers parameters: SymPy's own model."""
    g = vc.parameter("g", 9.81)
    system = vc.System(f"{n}-link pendulum on a cart", gravity=(0, -1 * g, 0))
    carrier = system.add(vc.MassPoint("cart", vc.parameter("m0", 2.0)))
    system.add(vc.Prismatic("rail", "ground", carrier, axis=(1, 0, 0)))
    for i in range(n):
        bob = system.add(vc.MassPoint(f"bob{i}", vc.parameter(f"m{i + 1}", 0.5 + 0.1 * i)))
        length = vc.parameter(f"l{i}", 0.3 + 0.05 * i)
        system.add(vc.Revolute(f"hinge{i}", carrier, bob, axis=(0, 0, 1), to=(0, -1 * length, 0)))
        carrier = bob
    return system


def sympy_function(kane):
    """M and the forcing as one lambdified function of coordinates, speeds, the cart's force and parameters."""
    M, f = kane.mass_matrix, kane.forcing
    force = [s for s in find_dynamicsymbols(f) if s not in [*kane.q, *kane.u]]
    constants = sorted((M.free_symbols | f.free_symbols) - {sympy.Symbol("t")}, key=str)
    return sympy.lambdify([kane.q, kane.u, force, constants], [M, f], cse=True), [str(c) for c in constants]


def sympy_operations(kane) -> int:
    """Operations of M and the forcing after common subexpressions are shared."""
    values, reduced = sympy.cse([kane.mass_matrix, kane.forcing])
    return int(sum(sympy.count_ops(x) for _, x in values) + sum(sympy.count_ops(x) for part in reduced for x in part))


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def main(n: int = sized(15, 2)) -> None:
    # both sides derive a small system first, so that no import is counted
    n_link_pendulum_on_cart(1)
    vc.derive(cart_pendulum(1)).code.compile()
    system = cart_pendulum(n)
    kane, sympy_derive = timed(lambda: (lambda k: (k, k.mass_matrix, k.forcing)[0])(n_link_pendulum_on_cart(n)))
    (function, names), sympy_compile = timed(lambda: sympy_function(kane))
    equations, our_derive = timed(lambda: vc.derive(system))
    usual = os.environ.get("VINCULUM_CACHE")
    with tempfile.TemporaryDirectory() as cache:
        os.chmod(cache, 0o700)
        os.environ["VINCULUM_CACHE"] = cache
        _, our_compile = timed(equations.code.compile)
    os.environ.pop("VINCULUM_CACHE") if usual is None else os.environ.update(VINCULUM_CACHE=usual)
    rng = np.random.default_rng(0)
    angles, speeds = rng.normal(size=(2, BATCH, n + 1))
    q, v = (np.hstack([x[:, :2], np.diff(x[:, 1:], axis=1)]) for x in (angles, speeds))
    values = [equations.parameters[name] for name in names]

    def by_sympy(i):
        M, f = function(angles[i], speeds[i], [0.0], values)
        return np.linalg.solve(M, f)[:, 0]

    worst = max(np.abs(accelerations_in_angles(equations.accelerations(q[i], v[i])) - by_sympy(i)).max()
                / np.abs(by_sympy(i)).max() for i in range(16))  # fmt: skip
    assert worst < 1e-9, f"the two disagree by {worst}"
    one, many = (q[0].copy(), v[0].copy()), sized(2000, 2)
    sympy_one = best(lambda: [by_sympy(0) for _ in range(50)]) / 50
    our_one = best(lambda: [equations.accelerations(*one) for _ in range(many)], 15) / many
    our_batch = best(lambda: equations.accelerations(q, v), 25) / BATCH
    sympy_shared, our_shared = sympy_operations(kane), equations.code.count_operations()["shared"]
    rows = [
        row("derive [ms]", 1e3 * our_derive, 1e3 * sympy_derive, 25),
        row("derive and compile [ms]", 1e3 * (our_derive + our_compile), 1e3 * (sympy_derive + sympy_compile), 4),
        row("accelerations, one call [us]", 1e6 * our_one, 1e6 * sympy_one, 50),
        row(f"accelerations, batch of {BATCH} [us each]", 1e6 * our_batch, 1e6 * sympy_one, 1000),
        row("operations of M and h, shared", our_shared, sympy_shared, 1),
    ]
    report("derive_pendulum", rows)
    print(f"largest relative difference of the accelerations: {worst:.1e}")


def accelerations_in_angles(a) -> np.ndarray:
    """Accelerations of the cart and of the angles against the vertical, from those of the joints."""
    return np.concatenate([a[:1], np.cumsum(a[1:])])


def row(what: str, ours, peer, target) -> dict:
    return {"what": what, "vinculum": ours, "SymPy": peer, "ratio": peer / ours, "target": target}


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:] if word.isdigit()))
