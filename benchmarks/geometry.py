"""Christoffel symbols and curvature of an arm: tracing and compiling them, and evaluating them next to SymPy's lambdified formulas."""

import sys
import time

import numpy as np
import sympy
from _cases import best, report, sized

import vinculum as vc
from vinculum.scalars import formulas

BATCH = sized(8192, 16)


def arm(joints: int) -> vc.System:
    """Links with a hinge each, about z, y and x in turn."""
    system, parent = vc.System(f"arm of {joints}"), "ground"
    for i in range(joints):
        link = system.add(vc.RigidBody(f"link{i}", 1.0 + 0.1 * i, (0.1, 0.05, 0.2), (0.1, 0.12, 0.08)))
        axis = np.eye(3)[2 - i % 3]
        parent = system.add(vc.Revolute(f"q{i}", parent, link, axis=axis, at=(0.1, 0, 0.4))).child
    return system


def sympy_function(metric: vc.geometry.Metric):
    """Γ^k_ij and R_ijkl as one lambdified function of the coordinates, from SymPy's own derivatives and inverse."""
    n, q = len(metric.coordinates), [sympy.Symbol(name, real=True) for name in metric.coordinates]
    G, every = sympy.Matrix(formulas(metric.chart.g)), range(len(q))
    low = [
        [[(G[m, i].diff(q[j]) + G[m, j].diff(q[i]) - G[i, j].diff(q[m])) / 2 for j in every] for i in every]
        for m in every
    ]
    inverse = G.adjugate() / G.det()
    gamma = [[[sum(inverse[k, m] * low[m][i][j] for m in every) for j in every] for i in every] for k in every]

    def lowered(i, j, k, l):
        second = (
            G[i, l].diff(q[j], q[k]) + G[j, k].diff(q[i], q[l]) - G[i, k].diff(q[j], q[l]) - G[j, l].diff(q[i], q[k])
        )
        return second / 2 + sum(gamma[m][j][k] * low[m][i][l] - gamma[m][j][l] * low[m][i][k] for m in every)

    pairs = [(i, j) for i in every for j in range(i + 1, n)]
    curved = [lowered(*a, *b) for x, a in enumerate(pairs) for b in pairs[x:]]
    return sympy.lambdify(q, [gamma, curved], cse=True)


def main(joints: int = 6) -> None:
    vc.geometry.Metric.of(arm(1)).riemann([0.1])
    rng = np.random.default_rng(0)
    began = time.perf_counter()
    large = vc.geometry.Metric.of(arm(sized(joints, 2)))
    places = rng.normal(size=(BATCH, len(large.coordinates)))
    for field in (large.christoffel, large.riemann):
        field(places)
    ready = time.perf_counter() - began
    small = vc.geometry.Metric.of(arm(sized(3, 2)))
    places = rng.normal(size=(BATCH, len(small.coordinates)))
    began = time.perf_counter()
    function = sympy_function(small)
    derived = time.perf_counter() - began
    gamma = np.array(function(*places[0])[0], dtype=float)
    assert np.allclose(gamma, small.christoffel(places[0]), rtol=1e-9, atol=1e-9)
    theirs = best(lambda: [function(*place) for place in places[:20]]) / min(20, BATCH)
    ours = best(lambda: (small.christoffel(places), small.riemann(places)), 15) / BATCH
    joints, fewer = len(large.coordinates), len(small.coordinates)
    rows = [
        {
            "what": f"{joints} joints: traced, compiled, {BATCH} places [s]",
            "vinculum": ready,
            "SymPy": None,
            "ratio": None,
        },
        {"what": f"{fewer} joints: SymPy's formulas made [s]", "vinculum": None, "SymPy": derived, "ratio": None},
        {
            "what": f"{fewer} joints: one of {BATCH} places [us]",
            "vinculum": 1e6 * ours,
            "SymPy": 1e6 * theirs,
            "ratio": theirs / ours,
        },
    ]
    report("geometry", rows)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:] if word.isdigit()))
