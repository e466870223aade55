"""Step doubling in a certificate measures the error of a fixed-step method, for charts whose rates are not the velocities too."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.audits.balances.quantities import samples
from vinculum.audits.balances.step_doubling import doubled_steps

PLACES, WEIGHTS = 0.5 + 0.5 * np.array([-np.sqrt(0.6), 0.0, np.sqrt(0.6)]), np.array([5.0, 8.0, 5.0]) / 18.0


def measured_defects(record, edges, coefficients) -> np.ndarray:
    """|L₁ − L₀ − ∫ R dt| summed over all steps but the last, by Gauss's quadrature of the dense output, (m,)."""
    h, powers = np.diff(edges), np.arange(coefficients.shape[2])
    at = lambda part: np.einsum("sij,sj->si", coefficients, (part * h)[:, None] ** powers)
    changed = np.diff(samples(record, edges[:-1], at(0.0)).L, axis=0)
    rates = [samples(record, edges[:-1] + part * h, at(part)).R for part in PLACES]
    return np.abs(changed - (h[:, None] * np.einsum("p,psm->sm", WEIGHTS, np.array(rates)))[:-1]).sum(axis=0)


@pytest.mark.parametrize("seed", range(3))
def test_two_halves_miss_a_quarter_of_what_one_step_misses(seed):
    """Steps of second order: the change by halving is 3/4 of the defect, for every balance of a body that tumbles."""
    rng = np.random.default_rng(seed)
    system = vc.System("tumbling", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("body", mass=rng.uniform(0.5, 2), inertia=tuple(rng.uniform(0.1, 0.15, 3))))
    system.add(vc.Unilateral("floor", [body], gap=lambda b: b.position[2] + 10.0, impact=0.5))
    start = {"body": vc.At((0, 0, 0), rate=tuple(rng.normal(size=6) * 3))}
    record = vc.simulate(system, 0.2, start, method="moreau", step=1e-3, progress=False).record
    edges, coefficients = next(iter(record.pieces.blocks()))
    measured = measured_defects(record, edges, coefficients)
    estimated = doubled_steps(record, edges, coefficients, len(coefficients), 0, np.zeros(len(coefficients)))
    telling = measured > 1e-9  # what a balance keeps by its form has round-off alone
    assert np.sum(telling) > 6
    np.testing.assert_allclose(estimated[telling], 0.75 * measured[telling], rtol=0.05)
