"""Symmetries hidden by a linear change of coordinates, and by a total derivative in L: neither may hide a first integral."""

import numpy as np
import pytest

import vinculum as vc
from vinculum import math as m

POTENTIALS = {
    "one axis": (lambda y: m.sin(y[0]) + 0.3 * y[0] ** 2, 6),  # energy, 2 momenta, 1 moment, 2 of mass centers
    "uniform": (
        lambda y: 0.7 * y[0] - 0.2 * y[2],
        8,
    ),  # energy, 3 momenta, the moment about the force, 3 of mass centers
    "around an axis": (lambda y: m.cos(y[0] ** 2 + y[1] ** 2) + 0.2 * m.sin(y[2]), 2),
    "central": (lambda y: m.exp(-0.3 * (y @ y)), 4),
    "none": (lambda y: m.sin(y[0]) * m.cos(y[1]) + 0.1 * m.sin(y[2] - 2 * y[0]), 1),
}


@pytest.mark.parametrize(
    "seed", [0, 1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", list(POTENTIALS))
def test_a_change_of_coordinates_and_a_total_derivative_hide_no_integral(name, seed):
    """L = ½|ẏ|² − V(y) with y = A q, and the rate of ½ q·B q + b·q t added to it. The energy of this L holds t, and is not listed."""
    potential, count = POTENTIALS[name]
    rng = np.random.default_rng(seed)
    A, B, b = 2.0 * np.eye(3) + 0.5 * rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)
    B = B + B.T

    def lagrangian(q, v, t):
        return 0.5 * ((A @ v) @ (A @ v)) - potential(A @ q) + q @ B @ v + b @ (q + t * v)

    plain = vc.LagrangianSystem("plain", ["x", "y", "z"], lambda q, v: 0.5 * (v @ v) - potential(q))
    hidden = vc.LagrangianSystem("hidden", ["x", "y", "z"], lagrangian)
    (own, other), (y, w) = (vc.first_integrals(one) for one in (plain, hidden)), rng.uniform(-0.7, 0.7, (2, 3))
    assert len(own) == count and len(other) == count - 1, (own.names, other.names)
    motion = vc.simulate(hidden, 1.0, (np.linalg.solve(A, y), np.linalg.solve(A, w)), method="dop853", progress=False)
    for one in other:
        values = one.along(motion)
        assert np.ptp(values) < 1e-10 * max(1.0, np.abs(values).max()), one.name
