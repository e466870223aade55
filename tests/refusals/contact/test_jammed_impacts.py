"""A hinged rod whose tip meets the floor obliquely. Friction beyond the slope jams it: no impulses obey Newton's law with e > 0."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

ENGINES = [pytest.param("taylor", marks=needs_heyoka), "dop853", "moreau"]
STEPS = {"moreau": {"step": 1e-3}}
HEIGHT = 0.8


def rod(impact, mu: float) -> vc.System:
    """A rod whose tip falls on the floor."""
    system = vc.System("rod", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("rod", mass=1.0, com=(0.5, 0, 0), inertia=(1e-3, 0.1, 0.1)))
    system.add(vc.Revolute("hinge", "ground", body, axis=(0, -1, 0)))
    tip = lambda b: b.point((1.0, 0, 0))
    system.add(
        vc.Unilateral(
            "tip", [body], gap=lambda b: tip(b)[2] + HEIGHT, impact=impact, friction=vc.Coulomb(mu), point=tip
        )
    )
    return system


@pytest.mark.parametrize("method", ENGINES)
def test_newtons_law_has_no_solution_beyond_the_slope(method):
    """The tip moves at an angle of 53° to the floor at sin φ = 0.8, so friction above cos φ / sin φ = 0.75 holds it."""
    with pytest.raises(vc.errors.RunError, match=r"'tip' has no solution: .* friction mu = 0\.9 jams it") as stopped:
        vc.simulate(rod(0.5, 0.9), 1.0, method=method, progress=False, **STEPS.get(method, {}))
    assert np.isfinite(stopped.value.motion.v).all()


@pytest.mark.parametrize("method", ENGINES)
@pytest.mark.parametrize(("impact", "mu"), [(0.5, 0.3), (vc.Inelastic(), 0.9)])
def test_less_friction_or_an_inelastic_impact_has_one(method, impact, mu):
    motion = vc.simulate(rod(impact, mu), 1.0, method=method, progress=False, **STEPS.get(method, {}))
    assert motion.audit().verdict == "passed", str(motion.audit())


@pytest.mark.parametrize("treatment", ["simultaneous", "sequential"])
@pytest.mark.parametrize("beyond", [1e-9, 1e-3, 10.0])
def test_time_steps_refuse_it_however_little_friction_is_beyond_the_slope(treatment, beyond):
    """Impulses without bound satisfied the laws to the residual of the solver, which was relative to them."""
    system = rod(vc.Newton(0.3, treatment), 0.75 + beyond)
    with pytest.raises(vc.errors.RunError, match=r"'tip' has no solution|no impulses of the step"):
        vc.simulate(system, 1.0, method="moreau", step=1e-3, progress=False)


@pytest.mark.parametrize("method", ENGINES)
@pytest.mark.parametrize("impact", [vc.Inelastic(), vc.Newton(0.5)])
@pytest.mark.parametrize("ratio", [1e3, 1e8])
def test_a_light_body_under_a_heavy_one_is_not_jammed(method, impact, ratio):
    """Impulses of the heavy body would each throw the light one away a hundred million times as fast, and cancel."""
    system = vc.System("pile", gravity=(0, 0, -9.81))
    light, heavy = (system.add(vc.MassPoint(name, m)) for name, m in (("light", 1e-3), ("heavy", 1e-3 * ratio)))
    for ball in (light, heavy):
        system.add(vc.Prismatic(f"z of {ball.name}", "ground", ball, axis=(0, 0, 1)))
    system.add(vc.Unilateral("floor", [light], gap=lambda a: a.position[2], impact=impact))
    system.add(
        vc.Unilateral("upon", [light, heavy], gap=lambda a, b: b.position[2] - a.position[2] - 0.1, impact=impact)
    )
    start = {"z of light": 0.0, "z of heavy": 0.2}
    motion = vc.simulate(system, 0.2, start, method=method, progress=False, **STEPS.get(method, {}))
    speed, rest = np.sqrt(2 * 9.81 * 0.1), 0.2 - np.sqrt(0.2 / 9.81)
    high = impact.restitution * speed * rest - 0.5 * 9.81 * rest**2 if impact.restitution else 0.0
    assert motion["z of heavy"][-1] == pytest.approx(0.1 + high, abs=1e-3 if method == "moreau" else 1e-13 * ratio)
