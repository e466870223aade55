"""Runs of many bodies in contact by time stepping: what free bodies and blocks have in common."""

from abc import abstractmethod
from dataclasses import replace

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.errors import MethodError, did_you_mean, shorten
from vinculum.models.model import Model
from vinculum.motion.arguments import grid_instants
from vinculum.motion.method import LOCATED, STEPPED, Method
from vinculum.simulation.by_type import Prepared, RunOfType
from vinculum.simulation.options import Options


class ContactRun(RunOfType):
    """Time stepping with a fixed step. The step follows from sizes and speeds if none is given."""

    def default_method(self, model: Model, watched: Tape | None) -> str:
        return "moreau"

    def check_method(self, model: Model, name: str) -> None:
        if name not in ("auto", "moreau"):
            raise MethodError(
                f"method {shorten(name)} does not support contact, which '{model.name}' has; use method='moreau' with a step"
            )

    def method(self, prepared: Prepared, options: Options) -> Method:
        from vinculum.integrators.free_bodies.steps import free_bodies_method

        self.check_method(prepared.model, options.method)
        step = self.chosen_step(prepared) if options.step is None else options.step
        method = free_bodies_method(options.tolerance, step, prepared.span, prepared.latest)
        located = self.locates_unasked(prepared.model) if options.impacts is None else options.impacts == LOCATED
        return replace(method, impacts=LOCATED) if located else method

    @abstractmethod
    def locates_unasked(self, model: Model) -> bool:
        """Whether steps are cut at impacts if nothing is said."""

    def instants(self, prepared: Prepared, method: Method, options: Options) -> np.ndarray:
        if options.grid is not None:
            return grid_instants(options.grid, prepared.begin, prepared.until)
        from vinculum.integrators.free_bodies.steps import free_bodies_grid

        return free_bodies_grid(prepared.model, method, prepared.begin, prepared.until)

    @abstractmethod
    def chosen_step(self, prepared: Prepared) -> float:
        """The step [s] from the smallest shape and the fastest start."""


def told_impacts(method: Method, options: Options, why: str = "") -> list[str]:
    """What a run says if its impacts are not located and nothing was said about them; ``why``: the reason, after a comma."""
    if method.impacts is not None or options.impacts is not None:
        return []
    return [f"impacts act in the middles of steps{why}; impacts='located' cuts steps"]


def check_contact_options(options: Options, forces: str) -> None:
    """Refuse unknown options of impacts, and θ. ``forces``: why steps of these bodies have no θ."""
    if options.impacts not in (None, LOCATED, STEPPED):
        hint = did_you_mean(options.impacts, (LOCATED, STEPPED))
        raise MethodError(
            f"impacts {shorten(options.impacts)} is not known{hint}; say '{LOCATED}' or '{STEPPED}', or leave it out"
        )
    if options.theta is not None:
        raise MethodError(f"theta {shorten(options.theta)}: {forces}; leave it out")
