"""First integrals of Lagrangians: energy, momenta along affine fields, gauge and frame terms."""

import numpy as np
import pytest

import vinculum as vc
from vinculum import math as m

FALL = vc.LagrangianSystem("fall", ["x", "z"], lambda v, z: v @ v / 2 - 9.81 * z)
FIELD = vc.LagrangianSystem("field", ["x", "y"], lambda v, x, y: v @ v / 2 + (x * v[1] - y * v[0]) / 2)
KEPLER = vc.LagrangianSystem("Kepler", ["x", "y", "z"], lambda q, v: v @ v / 2 + 1 / m.sqrt(q @ q))
RUBBED = vc.LagrangianSystem(
    "rubbed", ["x", "y"], lambda v, q: v @ v / 2 - (q[0] - q[1]) ** 4, dissipation=lambda v: [v[1] - v[0], v[0] - v[1]]
)
CART = vc.LagrangianSystem(
    "cart", ["x", "theta"], lambda v, theta: v[0] ** 2 + v[1] ** 2 / 2 + v[0] * v[1] * m.cos(theta) + m.cos(theta)
)


@pytest.mark.parametrize(("system", "names"), [
    (FALL, ["energy", "momentum p_x", "momentum p_z + 9.81 t", "momentum t p_x − x", "momentum t p_z + 4.905 t² − z"]),
    (FIELD, ["energy", "momentum p_x − 0.5 y", "momentum p_y + 0.5 x", "momentum y p_x − x p_y"]),
    (KEPLER, ["energy", "momentum y p_x − x p_y", "momentum z p_x − x p_z", "momentum z p_y − y p_z"]),
    (RUBBED, ["momentum p_x + p_y", "momentum t p_x + t p_y − x − y"]),
    (CART, ["energy", "momentum p_x"]),
])  # fmt: skip
def test_integrals_are_found_and_stay_constant(system, names):
    found = vc.first_integrals(system)
    assert list(found.names) == names
    n = len(system.coordinates)
    start = (np.array([0.7, -0.3, 0.4])[:n], np.array([0.2, 0.9, -0.4])[:n])
    motion = vc.simulate(system, 1.5, start)
    for one in found:
        assert np.ptp(one.along(motion)) < 1e-11


def test_a_parameter_may_bring_a_symmetry():
    k = vc.parameter("k", 1.0)
    system = vc.LagrangianSystem("ellipse", ["x", "y"], lambda v, x, y: v @ v / 2 - x**2 / 2 - k * y**2 / 2)
    assert len(vc.first_integrals(system)) == 2 and len(vc.first_integrals(system, {"k": 2.0})) == 1


@pytest.mark.parametrize("mass", [1.67e-27, 1e-12, 6e24])
def test_integrals_do_not_depend_on_units(mass):
    """What is small in the units of the user does not vanish for it: p_y and m y are integrals of motion along y, and p_x is none."""
    spring = vc.LagrangianSystem("spring", ["x", "y"], lambda v, x: mass * (v @ v) / 2.0 - 10.0 * mass * x**2)
    assert vc.first_integrals(spring).names == ("energy", "momentum p_y", f"momentum t p_y − {mass:.6g} y")


@pytest.mark.parametrize("mass", [1.0, 1e-12])
def test_a_small_friction_under_constraints_takes_energy_too(mass):
    blade = lambda theta, x_dot, y_dot: vc.math.sin(theta) * x_dot - vc.math.cos(theta) * y_dot
    skate = vc.LagrangianSystem(
        "skate", ["x", "y", "theta"], lambda v: mass * (v @ v) / 2.0, dissipation=lambda v: -mass * v,
        constraints={"blade": (blade, vc.DAlembert())},
    )  # fmt: skip
    assert "energy" not in vc.first_integrals(skate).names
