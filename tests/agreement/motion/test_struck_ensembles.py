"""Applied impulses in ensembles: every run is that of `simulate`, and the grid shows velocities after an impulse."""

import numpy as np
import pytest

import vinculum as vc
from audited import arm
from vinculum.models.tabled import type as tabled_type
from vinculum.systems import start_state

AT, FLOOR, R = (0.0, 0.2, 0.31), vc.shapes.HalfSpace((0, 0, 1)), 0.05
STARTS = [{"shoulder": 0.3 * k, "elbow": vc.At(0.2, rate=-0.5 * k)} for k in range(3)]


def together(system: vc.System, starts: list[dict]) -> tuple[np.ndarray, ...]:
    """The starts as coordinates and velocities, one row for each run."""
    return tuple(map(np.array, zip(*(start_state(system.tree(), start) for start in starts), strict=True)))


def struck_arm() -> vc.System:
    system = arm()
    blow = vc.Impulse(
        "blow", "lower", lambda b: vc.Wrench(force=(0.3, 0, 0) - 0.1 * b.velocity, at=(0, 0, -0.5)), at=AT
    )
    system.add(blow)
    system.add(vc.Impulse("twist", "elbow", 0.05, at=0.2))
    return system


@pytest.mark.parametrize("method, step, error", [("dop853", None, 1e-9), ("rk4", 1e-3, 1e-8)])
def test_smooth_runs_are_those_alone(method, step, error):
    system, grid = struck_arm(), [0.0, 0.1, 0.2, 0.3, 0.4]
    runs = vc.ensemble(
        system, 0.4, together(system, STARTS), method=method, step=step, grid=grid, tolerance=None if step else 1e-12
    )
    assert not runs.failed.any()
    for k, start in enumerate(STARTS):
        alone = vc.simulate(system, 0.4, start, method="dop853", tolerance=1e-12, grid=grid, progress=False)
        assert np.abs(alone.v[2] - alone.at([0.1999]).v[0]).max() > 0.1
        np.testing.assert_allclose(runs.q[k], alone.q, atol=error)
        np.testing.assert_allclose(runs.v[k], alone.v, atol=error)


def test_many_bodies_over_tables_are_struck_as_alone(monkeypatch):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system = vc.System("tables", gravity=(0, 0, -9.81))
    one, other = (system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(R), density=900)) for name in ("one", "other"))
    system.add(vc.Spring("spring", one, other, stiffness=4.0, rest_length=0.2, at=(0, 0, R)))
    system.add(vc.Impulse("blow", one, vc.Wrench(force=(0.3, 0, 0.1), at=(0, 0.02, 0)), at=AT))
    starts = [{"other": (0.2 + 0.1 * k, 0, 0)} for k in range(3)]
    runs = vc.ensemble(system, 0.4, together(system, starts), method="dop853", grid=5, tolerance=1e-11)
    for k, start in enumerate(starts):
        alone = vc.simulate(system, 0.4, start, method="dop853", tolerance=1e-11, grid=5, progress=False)
        np.testing.assert_allclose(runs.v[k], alone.v, atol=1e-9)


@pytest.mark.parametrize("free", [True, False])
def test_runs_with_contact_answer_impulses_as_alone(free):
    """Free bodies, and a slider on a joint with a stop next to a ball."""
    system = vc.System("contact", gravity=(0, 0, -9.81))
    one, other = (system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(R), density=900)) for name in ("one", "other"))
    starts = [{"one": (0, 0, R), "other": (2 * R + 0.01 * k, 0, R)} for k in range(3)]
    if not free:
        system.add(
            vc.Prismatic("rail", "ground", one, axis=(1, 0, 0), at=(0, 0, R), limits=vc.constraints.Limits(upper=0.02))
        )
        starts = [{"other": start["other"]} for start in starts]
    system.add(vc.Contact("contact", [one, other], walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    system.add(vc.Impulse("blow", one, vc.Wrench(force=(0.2, 0, -0.1)), at=(0.0, 0.01, 0.02)))
    options = {"method": "moreau", "step": 1e-3, "grid": 7}
    runs = vc.ensemble(system, 0.03, together(system, starts), **options)
    assert not runs.failed.any()
    for k, start in enumerate(starts):
        alone = vc.simulate(system, 0.03, start, **options, progress=False)
        np.testing.assert_allclose(runs.v[k], alone.v, atol=1e-12)
        np.testing.assert_allclose(runs.q[k], alone.q, atol=1e-12)
