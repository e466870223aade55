"""A hinged rod whose tip meets the floor obliquely. Friction beyond the slope jams it: no impulses obey Newton's law with e > 0."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

ENGINES = [pytest.param("taylor", marks=needs_heyoka), "dop853"]
HEIGHT = 0.8


def rod(impact, mu: float) -> vc.System:
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
        vc.simulate(rod(0.5, 0.9), 1.0, method=method, progress=False)
    assert np.isfinite(stopped.value.motion.v).all()


@pytest.mark.parametrize("method", ENGINES)
@pytest.mark.parametrize(("impact", "mu"), [(0.5, 0.3), (vc.Inelastic(), 0.9)])
def test_less_friction_or_an_inelastic_impact_has_one(method, impact, mu):
    motion = vc.simulate(rod(impact, mu), 1.0, method=method, progress=False)
    assert motion.audit().verdict == "passed", str(motion.audit())
