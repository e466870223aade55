"""Inertia that vanishes during a run: it ends there by every method, and names joint or body, instant and remedy."""

import re

import numpy as np
import pytest

import vinculum as vc
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.type import TabledType

METHODS = {"taylor": {}, "dop853": {}, "rk4": {"step": 1e-3}, "moreau": {"step": 1e-3}}


def on_a_turning_rail(arms=1):
    """Points on rails that turn, towards the axes: the angle moves m r²."""
    system, start = vc.System("rail"), {}
    for i in range(arms):
        hub, bead = (system.add(vc.MassPoint(f"{name}{i}", 1.0)) for name in ("hub", "bead"))
        system.add(vc.Revolute(f"turn{i}", "ground", hub, axis=(0, 0, 1)))
        system.add(vc.Prismatic(f"slide{i}", hub, bead, axis=(1, 0, 0)))
        start |= {f"turn{i}": 0.2, f"slide{i}": vc.At(0.5 + 0.01 * i, -1.0)}
    return system, start


def in_gimbals():
    """A point on an arm in two gimbals: with the arm along the outer axis, the outer angle moves nothing."""
    system = vc.System("gimbals")
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.Universal("gimbals", "ground", point, to=(0, 0, 1)))
    return system, {"gimbals": vc.At((0.3, 0.4), (0.0, 2.0))}


def lossy_leaf():
    system = vc.System("leaf", gravity=(0, 0, -9.81))
    arm = system.add(vc.RigidBody("arm", 1.0, (0, 0, -0.5), (0.1, 0.1, 0.1)))
    leaf = system.add(vc.MassPoint("leaf", 1.0, sources=vc.MassSource(rate=-1.0, relative=(0, 0, 0.0))))
    system.add(vc.Revolute("hip", "ground", arm, axis=(0, 1, 0)))
    system.add(vc.Revolute("knee", arm, leaf, axis=(0, 1, 0), at=(0, 0, -1), to=(0, 0, 0.5)))
    return system, {"hip": 0.5}


def crushed(dimension, count=1):
    """A soft body that is pressed together along an axis of its material, and others that are not."""
    system, start = vc.System("soft"), {}
    energy = vc.energies.SaintVenantKirchhoff(1.0, 0.01)
    for i in range(count):
        system.add(vc.AffineBody(f"soft{i}", 1.0, (0.1,) * dimension, dimension=dimension, energy=energy))
        whole, rate = np.eye(3)[:, :dimension], np.diag([-1.0 if i == count - 1 else 0.0, 0, 0])[:, :dimension]
        start[f"soft{i}"] = vc.At(((i, 0, 0), whole), ((0, 0, 0), rate))
    return system, start


ENDS = {
    "a bead on an axis": (on_a_turning_rail, 0.5, r"joint 'turn0' moves no mass or inertia.*give body 'hub0' inertia"),
    "gimbals in line": (
        in_gimbals,
        (0.5 * np.pi - 0.4) / 2.0,
        r"joint 'gimbals' moves no mass or inertia.*body 'point'",
    ),
    "a leaf without mass": (lossy_leaf, 1.0, r"the mass of body 'leaf' is used up; end the run before"),
    "a crushed solid": (
        lambda: crushed(3),
        1.0137,
        r"body 'soft0' is crushed flat, det φ = 0; .* vc.energies.NeoHookean",
    ),
    "a crushed plate": (lambda: crushed(2), 1.0137, r"body 'soft0' is crushed to a line, det φᵀφ = 0; .* vc.energies"),
    "a crushed rod": (lambda: crushed(1), 1.0137, r"body 'soft0' is crushed to a point, det φᵀφ = 0; .* vc.energies"),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("end", ENDS)
def test_a_run_ends_where_inertia_vanishes_by_every_method(end, method):
    make, instant, told = ENDS[end]
    system, start = make()
    with pytest.raises(vc.errors.RunError, match=told) as error:
        vc.simulate(system, until=2.0, start=start, method=method, **METHODS[method])
    assert float(re.search(r"t = ([\d.]+)", str(error.value)).group(1)) == pytest.approx(instant, abs=2e-4)
    assert error.value.motion.record.pieces.end == pytest.approx(instant, abs=2e-4)
    assert error.value.motion.audit().passed or method == "moreau"


@pytest.mark.parametrize("method", ["dop853", "rk4"])
@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: on_a_turning_rail(200), r"t = 0\.4999\d* s joint 'turn0' .* body 'hub0'"),
        (lambda: crushed(2, 200), r"t = 1\.0137\d* s body 'soft199' is crushed to a line"),
    ],
    ids=["rails", "plates"],
)
def test_so_does_a_run_over_tables(make, told, method):
    system, start = make()
    assert isinstance(model_for(system).type, TabledType)
    with pytest.raises(vc.errors.RunError, match=told):
        vc.simulate(system, until=1.1, start=start, method=method, **METHODS[method])


@pytest.mark.parametrize("method", ["taylor", "dop853"])
def test_a_run_that_passes_by_goes_on(method):
    system, start = on_a_turning_rail()
    start["turn0"] = vc.At(0.2, 0.01)
    motion = vc.simulate(system, until=1.0, start=start, method=method)
    assert motion.audit().passed
    r, rate = motion["slide0"], motion.joint("turn0").v
    assert np.abs(r).min() < 0.006
    assert r**2 * rate == pytest.approx(0.25 * 0.01, abs=1e-10)
    # the straight way of a free point
    assert motion.body("bead0").position[-1] == pytest.approx(
        motion.body("bead0").position[0] + motion.body("bead0").velocity[0], abs=1e-9
    )


def test_forward_dynamics_refuses_positions_without_inertia():
    system, _ = on_a_turning_rail()
    with pytest.raises(vc.errors.StartError, match=r"row 1: joint 'turn0' moves no mass or inertia.*body 'hub0'"):
        vc.forward_dynamics(system, [[0.2, 0.5], [0.2, 0.0]], [[0.1, 0.2], [0.1, 0.2]])
    assert vc.forward_dynamics(system, [0.2, 1e-6], [0.1, 0.0])[1] == pytest.approx(1e-8)
    system, _ = in_gimbals()
    with pytest.raises(vc.errors.StartError, match=r"row 0: joint 'gimbals' moves no mass or inertia"):
        vc.forward_dynamics(system, [0.3, 0.5 * np.pi], [0.1, 0.2])
