"""Certificates of bodies that only deform: they have energy and no momentum."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken

ENERGIES = {
    "Saint Venant-Kirchhoff": vc.energies.SaintVenantKirchhoff(1.0, shear=10.0, lame=10.0),
    "neo-Hookean": vc.energies.NeoHookean(1.0, shear=10.0, lame=10.0),
}
STRETCHED = vc.At(((0, 0, 0), np.diag([1.05, 0.97, 1.0])))


def alone(energy):
    system = vc.System("alone")
    system.add(vc.AffineBody("drop", mass=1.0, second_moment=(0.1, 0.1, 0.1), energy=energy))
    return system


def line(certificate, law):
    return next(one for one in certificate.lines if one.law == law)


@pytest.mark.parametrize("energy", ENERGIES.values(), ids=ENERGIES)
@pytest.mark.parametrize("law", ["energy balance", "first integrals"])
def test_errors_of_time_steps_are_admitted_as_the_square_of_the_step(energy, law):
    found = []
    for step in (4e-4, 2e-4):
        certificate = vc.simulate(alone(energy), 0.3, {"drop": STRETCHED}, method="moreau", step=step).audit()
        assert certificate.passed, str(certificate)
        found.append(line(certificate, law))
    (residuals, tolerances) = (np.array([getattr(one, what) for one in found]) for what in ("residual", "tolerance"))
    np.testing.assert_allclose([residuals[0] / residuals[1], tolerances[0] / tolerances[1]], 4.0, rtol=0.05)
    assert residuals[1] > 1e-8  # far above round-off
    # step doubling finds 3/4 of the errors of steps, of which tolerances have three times the sum
    assert np.all(residuals < 1.01 / (3 * 0.75) * tolerances)


@pytest.mark.parametrize("method", ["moreau", "dop853"])
def test_a_falsified_deformation_breaks_the_energy_though_no_momentum_changes(method):
    options = {"step": 1e-4} if method == "moreau" else {}
    system = alone(ENERGIES["neo-Hookean"])
    motion = vc.simulate(system, 0.5, {"drop": STRETCHED}, method=method, **options)
    assert motion.audit().passed
    for false in (
        motion.replace(v=1.001 * motion.v),
        motion.replace(system=alone(vc.energies.NeoHookean(1.0, shear=10.01, lame=10.01))),
    ):
        assert {"energy balance", "first integrals"} <= broken(false.audit())
