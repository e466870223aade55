"""What an ensemble asks for, and what its runs begin with: one function for each kind of system."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, final

import numpy as np

from vinculum.ensembles.constrained_starts import constrained_starts
from vinculum.ensembles.runs import Runs
from vinculum.ensembles.starts import batch
from vinculum.models.model import Model
from vinculum.motion import model_for

FIXED = ("rk4", "verlet", "midpoint")
"""Methods with a fixed step."""


@final
@dataclass(frozen=True, eq=False)
class Request:
    """Arguments of an ensemble that its starts depend on."""

    start: Any
    parameters: Any
    begin: float
    until: float
    method: str
    repair: bool


@final
@dataclass(frozen=True, eq=False)
class Prepared:
    """The model of all runs, states (B, n) that keep all conditions, and parameter values (B, p). ``finish``: what is done with the runs
    in the end."""

    model: Model
    states: np.ndarray
    values: np.ndarray
    finish: Callable[[Runs], Runs]


@singledispatch
def prepare_runs(system: Any, request: Request) -> Prepared:
    """What the runs of a system begin with: of bodies, where nothing else is registered for its class."""
    model = model_for(system)
    if model.layout.contacts:
        model.check_written_out("ensembles by other methods than 'moreau'")
    model.check_unbounded("ensembles by other methods than 'moreau'", meets_impulses=True)
    states, values = batch(model, request.start, request.parameters)
    if model.type.has_graphs and model.layout.gaps:
        model, states, values = constrained_starts(model, states, values, request.start, request.begin, request.repair)
    return Prepared(model, states, values, lambda runs: runs)
