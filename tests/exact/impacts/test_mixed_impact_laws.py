"""Impacts of bodies in a row whose contacts have different laws: each impulse by Poisson's hypothesis or Newton's ratio, in closed form."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

ENGINES = [pytest.param("taylor", {}, marks=needs_heyoka), ("dop853", {}), ("moreau", {"step": 1e-3})]


def row(masses, laws) -> vc.System:
    """Sliders on the x axis that touch each other, all but the first, which comes from the left."""
    system, before = vc.System("row"), None
    for k, mass in enumerate(masses):
        slider = system.add(vc.MassPoint(f"slider {k}", mass))
        system.add(vc.Prismatic(f"guide {k}", "ground", slider, axis=(1, 0, 0)))
        if before is not None:
            gap = lambda a, b: b.position[0] - a.position[0]
            system.add(vc.Unilateral(f"gap {k}", [before, slider], gap=gap, impact=laws[k - 1]))
        before = slider
    return system


@pytest.mark.parametrize(("method", "options"), ENGINES)
@pytest.mark.parametrize("e", [0.3, 1.0])
def test_poisson_gives_back_at_a_contact_that_was_at_rest(method, options, e):
    """The first contact is inelastic, and the second gives back e times the impulse that the first compresses in it."""
    masses, v = np.array([1.0, 0.7, 1.6]), 2.0
    motion = vc.simulate(row(masses, [vc.Inelastic(), vc.Poisson(e)]), 0.2, {"guide 0": vc.At(-0.1, rate=v)}, method=method,
                         progress=False, **options)  # fmt: skip
    common = v * masses[0] / masses.sum()
    second = (1.0 + e) * masses[2] * common
    left = (masses[0] * v - second) / (masses[0] + masses[1])
    np.testing.assert_allclose(motion.v[-1], [left, left, second / masses[2]], rtol=1e-9, atol=1e-12)
    assert motion.audit().verdict == "passed", str(motion.audit())


@pytest.mark.parametrize(("method", "options"), ENGINES)
def test_newton_gives_nothing_back_at_a_contact_that_was_at_rest(method, options):
    masses, v = np.array([1.0, 0.7, 1.6]), 2.0
    motion = vc.simulate(row(masses, [vc.Inelastic(), vc.Newton(0.8)]), 0.2, {"guide 0": vc.At(-0.1, rate=v)}, method=method,
                         progress=False, **options)  # fmt: skip
    np.testing.assert_allclose(motion.v[-1], v * masses[0] / masses.sum(), rtol=1e-9)


@pytest.mark.parametrize(("method", "options"), ENGINES)
@pytest.mark.parametrize("first", [vc.Inelastic(), vc.Inelastic(treatment="sequential")], ids=["plain", "sequential"])
def test_sequential_impacts_reach_a_contact_that_was_at_rest(method, options, first):
    """Equal sliders: the first two move on together with v/2, the second gives all of it to the third, and the first meets the second
    again: v/4, v/4, v/2."""
    laws = [first, vc.Elastic(treatment="sequential")]
    motion = vc.simulate(
        row(np.ones(3), laws), 0.2, {"guide 0": vc.At(-0.1, rate=2.0)}, method=method, progress=False, **options
    )
    np.testing.assert_allclose(motion.v[-1], [0.5, 0.5, 1.0], rtol=1e-9)
    assert motion.audit().verdict == "passed", str(motion.audit())
