"""Closed loops at no state at all, as in a phase that lasts no time."""

import numpy as np

from mechanisms import four_bar
from vinculum.models.conditions.closed_loops import mix_parameters
from vinculum.models.model_cache import model_for


def test_parameters_of_redundant_loops_are_none_for_no_states():
    model = model_for(four_bar())
    rows = mix_parameters(model, np.zeros((0, model.nq + model.nv)), np.zeros(0), np.zeros(len(model.parameters)))
    assert rows.shape == (0, len(model.parameters))
