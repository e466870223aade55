"""Selection of the integrator of a run and its settings."""

from dataclasses import replace

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.errors import MethodError, did_you_mean
from vinculum.integrators.dop853.integrator import DORMAND_PRINCE
from vinculum.integrators.table import integrator_of, method_refusal
from vinculum.integrators.taylor.reach import overflows
from vinculum.integrators.watch.modes import modes_at, rests_on_switch
from vinculum.models.model import Model
from vinculum.motion.arguments import fixed_step
from vinculum.motion.method import DOP853, LOCATED, MIDDLE, STEPPED, Method
from vinculum.screws.entries import is_number, shorten
from vinculum.simulation.by_type import RUNS, Prepared
from vinculum.simulation.contact_step import contact_step, tree_speed
from vinculum.simulation.options import Options
from vinculum.tolerances.samples import FEWEST_STEPS
from vinculum.tolerances.time_stepping import LARGEST_RESIDUAL, LEAST_RESIDUAL


def is_event_driven(name) -> bool:
    """Whether a method of this name runs from event to event where contacts close and open."""
    integrator = integrator_of(name) if isinstance(name, str) and name != "auto" else None
    return integrator is not None and integrator.follows_contacts and integrator.tolerance is not None


def takes_plain_steps(options: Options) -> bool:
    """Whether shapes in contact would run by time steps, in the form that every type of model with contacts has."""
    usual = options.impacts in (None, STEPPED) and options.theta is None
    return usual and isinstance(options.method, str) and options.method in ("auto", "moreau")


def method_asked_for(prepared: Prepared, options: Options) -> Method:
    """The integrator of a run with its settings, as the options say."""
    model = prepared.model
    step = options.step
    if step is None and model.shapes is not None:
        reach = float(model.shapes.reaches[: model.shapes.moving].min())
        step = contact_step(prepared, reach, tree_speed(model, prepared.state, prepared.begin, prepared.values))
    chosen = chosen_method(model, options.method, options.tolerance, step, options.max_step, prepared.span,
                           prepared.latest, prepared.watched.tape)  # fmt: skip
    return with_theta(with_impacts(chosen, options.impacts, model), options.theta, model)


def chosen_method(
    model: Model, name: str, tolerance, step, max_step, span: float, latest: float, watched: Tape | None
) -> Method:
    """The method that ``name`` asks for with its settings, checked. ``span``: of the run [s]; ``latest``: its largest instant;
    ``watched``: the functions of its events."""
    if model.shapes is not None:
        if name not in ("auto", "moreau"):
            raise MethodError(
                f"method {shorten(name)} does not support contact between shapes, which '{model.name}' has; use "
                "method='moreau' with a step"
            )
        name = "moreau"
    resisting = [name for name, entry in model.layout.unilaterals.items() if entry.lengths]
    if resisting and name != "moreau":
        raise MethodError(
            f"unilateral constraint '{resisting[0]}' of '{model.name}' resists rolling or spinning, which only time stepping supports; use "
            "method='moreau' with a step"
        )
    of_type = RUNS.of(model)
    if isinstance(name, str) and name == "auto":
        name = of_type.default_method(model, watched)
    integrator = integrator_of(name) if isinstance(name, str) else None
    if integrator is None:
        raise MethodError(f"method {shorten(name)}{method_refusal(name)}")
    claims = integrator.claims
    if model.layout.unilaterals and not integrator.follows_contacts:
        raise MethodError(
            f"method '{name}' does not support unilateral constraints, which '{model.name}' has; "
            "use 'taylor' or 'dop853' (event-driven), or method='moreau' with a step"
        )
    of_type.check_method(model, name)
    integrator.check(model, watched)
    if integrator.tolerance is None:
        if max_step is not None:
            raise MethodError(f"method '{name}' has a fixed step; leave max_step out")
        if tolerance is not None and name != "moreau":
            raise MethodError(f"method '{name}' has a fixed step and no tolerance; leave tolerance out or use 'dop853'")
        return Method(claims, _residual(model, tolerance), step=fixed_step(name, step, span, latest))
    if step is not None:
        raise MethodError(f"method '{name}' chooses its own steps; leave step out, set tolerance, or use 'rk4'")
    if tolerance is not None and not is_number(tolerance):
        raise MethodError(f"tolerance {tolerance!r} must be a number")
    tolerance = integrator.tolerance if tolerance is None else float(tolerance)
    low, high = integrator.least, 1e-1
    if not low <= tolerance <= high:
        raise MethodError(f"tolerance {tolerance:g} must lie between {low:.2g} and {high:g} for method '{name}'")
    if max_step is not None and not (is_number(max_step) and max_step > 0.0 and span / max_step < 1e9):
        raise MethodError(f"max_step {max_step!r} must be a positive number of seconds that leaves at most 1e9 steps")
    if max_step is None and model.type.is_timed(model):
        max_step = span / FEWEST_STEPS
    return Method(claims, tolerance=tolerance, max_step=None if max_step is None else float(max_step))


def _residual(model: Model, tolerance) -> float | None:
    """The residual that impulses of time stepping must reach, if it is asked for, checked."""
    if tolerance is None:
        return None
    if not model.is_bounded:
        raise MethodError(
            f"tolerance {shorten(tolerance)} is the residual of impulses in time stepping, and there is no contact in "
            f"'{model.name}'; leave it out, or use method='dop853'"
        )
    if not (is_number(tolerance) and LEAST_RESIDUAL <= tolerance <= LARGEST_RESIDUAL):
        raise MethodError(
            f"tolerance {shorten(tolerance)} is the residual of the impulses and must lie between {LEAST_RESIDUAL:g} and "
            f"{LARGEST_RESIDUAL:g}"
        )
    return float(tolerance)


def with_impacts(method: Method, impacts, model: Model) -> Method:
    """The method with what it does where something is hit; refused where there is no such choice."""
    if impacts not in (None, LOCATED, STEPPED):
        hint = did_you_mean(impacts, (LOCATED, STEPPED))
        raise MethodError(
            f"impacts {shorten(impacts)} is not known{hint}; say '{LOCATED}' or '{STEPPED}', or leave it out"
        )
    if model.shapes is not None:
        if impacts == LOCATED:
            raise MethodError(
                f"impacts 'located': time steps of a tree, as '{model.name}' is, do not locate those of shapes; leave it out, or use "
                "method='dop853', which locates the impacts of shapes whose gaps it knows"
            )
        return replace(method, impacts=STEPPED)
    if impacts == STEPPED and model.layout.gaps:
        raise MethodError(
            f"impacts 'stepped' spreads an impact over a step in which the loops and constraints of '{model.name}' turn, so that "
            f"they would "
            f"not hold after it; say '{LOCATED}', or leave it out"
        )
    if method.claims.name != "moreau" or not model.layout.unilaterals:
        if impacts is not None:
            raise MethodError(
                f"impacts '{impacts}' is for method='moreau' and systems with unilateral constraints; leave it out for method "
                f"'{method.claims.name}'"
            )
        return method
    return replace(method, impacts=impacts or LOCATED)


def with_theta(method: Method, theta, model: Model) -> Method:
    """The method with the place in a step where it takes forces; refused where there is no such choice."""
    if theta is None:
        return method
    if method.claims.name != "moreau":
        raise MethodError(
            f"theta {shorten(theta)} is for method='moreau'; leave it out for method '{method.claims.name}'"
        )
    if not is_number(theta) or not MIDDLE <= theta <= 1.0:
        raise MethodError(
            f"theta {shorten(theta)} must be a number from 1/2 (forces in the middle of a step, without damping) to 1 (at its "
            "end, with the most damping); below 1/2 oscillations would grow"
        )
    return replace(method, theta=float(theta))


def method_that_can_run(model: Model, method: Method, row: np.ndarray, span: float) -> tuple[Method, list[str]]:
    """The method, or dop853 with a remark where a series finds no way off a double zero, or its coefficients are no numbers.

    ``row``: (q, v, t, parameters) at the start; ``span``: of the run [s].
    """
    if method.claims.name != "taylor" or model.nq == 0:
        return method, []
    assert method.tolerance is not None
    tape, count = model.tape("motion"), model.nq + model.nv
    state, t, values = row[:count], float(row[count]), row[count + 1 :]
    if tape.is_piecewise() and rests_on_switch(tape, state, t, values, modes_at(tape, state, t, values)):
        return by_dop853(method), [
            "the start rests on a switch of the model, which method 'taylor' cannot leave: dop853 ran instead"
        ]
    if overflows(model, row, method.tolerance, span):
        told = "the motion is so fast that the coefficients of method 'taylor' overflow: dop853 ran instead"
        return by_dop853(method), [told]
    return method, []


NO_SERIES = "there is no finite Taylor series at {} (a root of zero, many switches at once, or numbers out of range): dop853 ran instead"


def by_dop853(method: Method) -> Method:
    """The method that runs where Taylor series cannot."""
    assert method.tolerance is not None
    return Method(DOP853, tolerance=max(method.tolerance, DORMAND_PRINCE.tolerance or 0.0), max_step=method.max_step)
