"""The table of integrators: their claims, and how they take steps. One line of `integrators/__init__.py` registers one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from vinculum.compile.tape import Tape
from vinculum.models.model import Model
from vinculum.motion.method import Claims, register_claims
from vinculum.motion.problem import Problem, StepSource
from vinculum.tolerances.round_off import ROUND_OFF


def _admit_all(model: Model, watched: Tape | None) -> None:
    """Accept every model."""


@final
@dataclass(frozen=True)
class Integrator:
    """An integrator with its claims.

    ``steps``: the steps of a run; imports happen on first use. ``tolerance``: the default, None for fixed steps. ``least``: the smallest
    tolerance allowed. ``follows_contacts``: whether it can run systems with unilateral constraints. ``check``: refuses models and event
    functions that it cannot run.
    """

    claims: Claims
    steps: Callable[[Problem], StepSource]
    tolerance: float | None = None
    least: float = ROUND_OFF
    follows_contacts: bool = False
    check: Callable[[Model, Tape | None], None] = _admit_all


INTEGRATORS: dict[str, Integrator] = {}


def register(*integrators: Integrator) -> None:
    """Make integrators known by the names in their claims."""
    for one in integrators:
        INTEGRATORS[one.claims.name] = one
        register_claims(one.claims)
