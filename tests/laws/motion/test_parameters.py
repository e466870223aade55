"""Parameters keep their names through the equations."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.targets.llvm import machine


def rod(mass, length) -> vc.System:
    system = vc.System("rod", gravity=(0, 0, -9.81))
    body = system.add(
        vc.RigidBody("rod", mass, com=(0, 0, -length / 2), inertia=(mass * length**2 / 12, mass * length**2 / 12, 1e-3))
    )
    system.add(vc.Revolute("hinge", "ground", body, axis=(0, 1, 0), damping=0.1 * mass))
    return system


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_parameter_is_as_good_as_the_number(method):
    m, length = vc.parameter("m", 1.0), vc.parameter("length", 1.5)
    swept = rod(m, length)
    for values in ({}, {"m": 2.5}, {"m": 0.3, "length": 0.8}):
        chosen = {"m": 1.0, "length": 1.5} | values
        by_name = vc.simulate(swept, 3.0, {"hinge": 1.0}, parameters=values, method=method)
        by_number = vc.simulate(rod(chosen["m"], chosen["length"]), 3.0, {"hinge": 1.0}, method=method)
        assert np.abs(by_name.q - by_number.q).max() < 1e-11
        assert by_name.audit().passed


def test_a_sweep_compiles_once():
    swept = rod(vc.parameter("m", 1.0), vc.parameter("length", 1.5))
    vc.simulate(swept, 0.1, {"hinge": 1.0}, method="rk4", step=0.01)
    known = len(machine._compiled)
    for mass in (0.5, 1.0, 2.0):
        vc.simulate(swept, 0.1, {"hinge": 1.0}, method="rk4", step=0.01, parameters={"m": mass})
    assert len(machine._compiled) == known


def test_parameters_reach_drives_axes_and_frames():
    k, tilt = vc.parameter("k", 2.0), vc.parameter("tilt", 0.0)

    def system(stiffness, lean):
        made = vc.System("slider", gravity=(0, 0, -9.81))
        body = made.add(vc.RigidBody("body", 1.0, inertia=(1, 1, 1)))
        made.add(
            vc.Prismatic("rail", "ground", body, axis=(1.0, 0, lean), at=(0, 0, lean), drive=lambda q: -stiffness * q)
        )
        return made

    swept = vc.simulate(system(k, tilt), 2.0, {"rail": 0.5}, parameters={"k": 3.0, "tilt": 0.7})
    fixed = vc.simulate(system(3.0, 0.7), 2.0, {"rail": 0.5})
    assert np.abs(swept.body("body").position - fixed.body("body").position).max() < 1e-12


def test_an_ensemble_over_parameters_is_many_runs():
    swept = rod(vc.parameter("m", 1.0), vc.parameter("length", 1.5))
    lengths = np.linspace(0.5, 2.0, 11)
    runs = vc.ensemble(swept, 2.0, {"hinge": 1.0}, parameters={"length": lengths}, grid=5)
    for i in (0, 7):
        one = vc.simulate(swept, 2.0, {"hinge": 1.0}, parameters={"length": lengths[i]})
        assert runs.q[i, -1, 0] == pytest.approx(one.q[-1, 0], abs=1e-10)
