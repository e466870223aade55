"""The mass matrix by forces of unit accelerations, and by composite bodies."""

import numpy as np
import pytest

from trees import random_state, random_system
from vinculum.derivations.starts.checks import mass_matrix_at
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.models.model_cache import model_for


@pytest.mark.parametrize("seed", range(6))
def test_unit_accelerations_and_composite_bodies_give_one_mass_matrix(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 2 + seed)
    model = model_for(system)
    q, _ = random_state(model.tree, rng)
    M = np.array(mass_matrix(model.tree, q), dtype=float)
    values = model.parameter_values(None)
    assert mass_matrix_at(model, q, values) == pytest.approx(M, rel=1e-12, abs=1e-12 * np.abs(M).max())
