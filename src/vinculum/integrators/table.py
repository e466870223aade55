"""The table of integrators: their claims, and how they take steps. One line of `integrators/__init__.py` registers one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from vinculum.compile.tape import Tape
from vinculum.errors import MethodError, did_you_mean, shorten
from vinculum.models.model import Model
from vinculum.motion.method import METHODS, Claims, register_claims
from vinculum.motion.problem import Problem, StepSource
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.upward import OTHER_INTEGRATORS, extension, extension_names, is_extension


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


def integrator_of(name: str) -> Integrator | None:
    """The integrator of a name; that of another package is registered when it is first asked for."""
    if name not in INTEGRATORS and is_extension(OTHER_INTEGRATORS, name):
        found = extension(OTHER_INTEGRATORS, name)
        if not isinstance(found, Integrator) or found.claims.name != name:
            raise MethodError(
                f"{OTHER_INTEGRATORS} '{name}' is {shorten(found)}; its package must bring an `Integrator` whose claims have this name"
            )
        register(found)
    return INTEGRATORS.get(name)


def integrator_names() -> list[str]:
    """Names of all integrators, also of those that other packages bring."""
    return list(dict.fromkeys([*INTEGRATORS, *extension_names(OTHER_INTEGRATORS)]))


def method_refusal(name: object) -> str | None:
    """Why there is no method of this name, to follow the name in a message; None if there is one."""
    if isinstance(name, str) and integrator_of(name) is not None:
        return None
    *names, last = integrator_names()
    return f" is not known{did_you_mean(name, [*names, last])}; use auto, {', '.join(names)} or {last}"


def claims_of(name: str) -> Claims | None:
    """The claims of a method by its name; None if there is none."""
    found = integrator_of(name)
    return METHODS.get(name) if found is None else found.claims
