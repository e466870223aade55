"""Integrability of the constraints of a Lagrangian system."""

import numpy as np

from vinculum.derivations.integrability.integrability import in_places_or_time
from vinculum.derivations.integrability.lagrangian_rows import lagrangian_pfaffian
from vinculum.derivations.integrability.report import Integrability
from vinculum.derivations.integrability.sampled import Samples
from vinculum.derivations.lagrangian.start import given_levels
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.tolerances.functions import SPREAD
from vinculum.tolerances.samples import INTEGRABILITY_SAMPLES


def integrability_of_lagrangian(system: LagrangianSystem, names, start, parameters, t: float) -> Integrability:
    """Integrability of a Lagrangian system, whose velocities are the rates of its coordinates."""
    in_time, labels = lagrangian_pfaffian(system, [str(name) for name in names])
    numbers = system.numbers
    values = numbers.values(parameters)
    known = dict(zip(sorted(numbers.parameters), values.tolist(), strict=True))
    q = given_levels(numbers, {} if start is None else start, values)[0]
    around = q + SPREAD * np.random.default_rng(5).normal(size=(INTEGRABILITY_SAMPLES, len(q)))
    samples = Samples(in_time.x, np.column_stack([around, np.full(INTEGRABILITY_SAMPLES, t)]), known)
    return in_places_or_time(system.name, list(system.coordinates), in_time, 0, labels, samples)
