"""Which integrator a run takes, and with which settings."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from vinculum.compile.engines import has_heyoka
from vinculum.compile.tape import Tape
from vinculum.errors import MethodError
from vinculum.integrators.taylor.reach import overflows
from vinculum.integrators.watch.modes import modes_at, rests_on_switch
from vinculum.models.model import Model
from vinculum.motion.arguments import fixed_step
from vinculum.motion.method import DOP853, LOCATED, METHODS, MIDDLE, STEPPED, Method
from vinculum.screws.entries import is_number, shortened

LARGEST_TAYLOR_TAPE = 12_000
FEWEST_STEPS = 500
TOLERANCE = {"taylor": 2.0**-52, "series": 2.0**-52, "dop853": 2e-14, "idas": 1e-11}
LEAST_TOLERANCE = {"dop853": 1e-15, "idas": 1e-13}
LEAST_RESIDUAL, LARGEST_RESIDUAL = 1e-14, 1e-1
"""Of the impulses of a step, by which `tolerance` may ask for them."""
FIXED_STEP = ("rk4", "verlet", "midpoint", "moreau")


def chosen_method(
    model: Model, name: str, tolerance, step, max_step, span: float, latest: float, watched: Tape | None
) -> Method:
    """The method that ``name`` asks for with its settings, checked. ``span``: of the run [s]; ``latest``: its largest instant;
    ``watched``: the functions of its events."""
    if isinstance(name, str) and name == "auto" and model.swarm is not None:
        name = "dop853"
    if model.shapes is not None:
        if name not in ("auto", "moreau"):
            raise MethodError(
                f"method {shortened(name)} knows no contact between shapes, which '{model.name}' has; use method='moreau' with a step"
            )
        name = "moreau"
    resisting = [name for name, entry in model.layout.unilaterals.items() if entry.lengths]
    if resisting and name != "moreau":
        raise MethodError(
            f"unilateral constraint '{resisting[0]}' of '{model.name}' resists rolling or spinning, which only time stepping knows; use "
            "method='moreau' with a step"
        )
    installed = has_heyoka()
    if isinstance(name, str) and name == "auto":
        tape = model.tape("motion")
        fit = len(tape.code) <= LARGEST_TAYLOR_TAPE and not (watched and watched.is_piecewise()) and not _kinks(model)
        name = "taylor" if installed and fit else "dop853"
    if not isinstance(name, str) or name not in METHODS or name == "given":
        raise MethodError(
            f"method {shortened(name)} is not known; use auto, taylor, series, dop853, idas, rk4, verlet, midpoint or moreau"
        )
    claims = METHODS[name]
    if model.layout.unilaterals and name not in ("taylor", "dop853", "moreau"):
        raise MethodError(
            f"method '{name}' knows no unilateral constraints, which '{model.name}' has; use 'taylor' or 'dop853' (event by event), or "
            "method='moreau' with a step"
        )
    if model.swarm is not None:
        from vinculum.integrators.pair_loop.steps import check_method

        check_method(model, name)
    if name == "idas":
        from vinculum.integrators.idas.idas import check_idas

        check_idas(model, watched is not None)
    if name == "taylor" and not installed:
        raise MethodError("method 'taylor' needs heyoka, which is not installed here; use method='dop853'")
    if name == "taylor" and _kinks(model):
        raise MethodError(
            f"a gap of '{model.name}' is not smooth (abs, min, max, where or tables), which method 'taylor' cannot follow; use "
            "method='dop853', or a unilateral constraint for each part"
        )
    if name in FIXED_STEP:
        if max_step is not None:
            raise MethodError(f"method '{name}' has a fixed step; leave max_step out")
        if tolerance is not None and name != "moreau":
            raise MethodError(f"method '{name}' has a fixed step and no tolerance; leave tolerance out or use 'dop853'")
        return Method(claims, _residual(model, tolerance), step=fixed_step(name, step, span, latest))
    if step is not None:
        raise MethodError(f"method '{name}' chooses its own steps; leave step out, set tolerance, or use 'rk4'")
    if tolerance is not None and not is_number(tolerance):
        raise MethodError(f"tolerance {tolerance!r} must be a number")
    tolerance = TOLERANCE[name] if tolerance is None else float(tolerance)
    low, high = LEAST_TOLERANCE.get(name, 2.0**-52), 1e-1
    if not low <= tolerance <= high:
        raise MethodError(f"tolerance {tolerance:g} must lie between {low:.2g} and {high:g} for method '{name}'")
    if max_step is not None and not (is_number(max_step) and max_step > 0.0 and span / max_step < 1e9):
        raise MethodError(f"max_step {max_step!r} must be a positive number of seconds that leaves at most 1e9 steps")
    if max_step is None and _depends_on_time(model):
        max_step = span / FEWEST_STEPS
    return Method(claims, tolerance=tolerance, max_step=None if max_step is None else float(max_step))


def _residual(model: Model, tolerance) -> float | None:
    """The residual that impulses of time stepping must reach, if it is asked for, checked."""
    if tolerance is None:
        return None
    if not model.is_bounded:
        raise MethodError(
            f"tolerance {shortened(tolerance)} is the residual of impulses in time stepping, and nothing meets in '{model.name}'; leave it "
            "out, or use method='dop853'"
        )
    if not (is_number(tolerance) and LEAST_RESIDUAL <= tolerance <= LARGEST_RESIDUAL):
        raise MethodError(
            f"tolerance {shortened(tolerance)} is the residual of the impulses and must lie between {LEAST_RESIDUAL:g} and "
            f"{LARGEST_RESIDUAL:g}"
        )
    return float(tolerance)


def with_impacts(method: Method, impacts, model: Model) -> Method:
    """The method with what it does where something is hit; refused where there is no such choice."""
    if impacts not in (None, LOCATED, STEPPED):
        raise MethodError(f"impacts {shortened(impacts)} is not known; say '{LOCATED}' or '{STEPPED}', or leave it out")
    if model.shapes is not None:
        if impacts == LOCATED:
            raise MethodError(f"impacts 'located': those of shapes in '{model.name}' are not located; leave it out")
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
            f"theta {shortened(theta)} is for method='moreau'; leave it out for method '{method.claims.name}'"
        )
    if not is_number(theta) or not MIDDLE <= theta <= 1.0:
        raise MethodError(
            f"theta {shortened(theta)} must be a number from 1/2 (forces in the middle of a step, which damps nothing) to 1 (at its end, "
            "which damps most); below 1/2 steps would drive what swings"
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


def by_dop853(method: Method) -> Method:
    """The method that runs where Taylor series cannot."""
    assert method.tolerance is not None
    return Method(DOP853, tolerance=max(method.tolerance, TOLERANCE["dop853"]), max_step=method.max_step)


def _kinks(model: Model) -> bool:
    """Whether a gap of a unilateral constraint is given in pieces."""
    return bool(model.layout.unilaterals) and model.tape("distances").is_piecewise()


def _depends_on_time(model: Model) -> bool:
    """Whether the equations of motion hold the time, or a body moves by it; what comes and goes by the clock is easily stepped over."""
    if model.swarm is not None:
        return model.swarm.is_timed
    driven = [] if model.tree is None else model.tree.prescribed
    if any(not (isinstance(x, float) and x == 0.0) for link in driven for x in link.joint.kind.drift):
        return True
    return _uses(model.tape("motion"), model.nq + model.nv)


@lru_cache(maxsize=64)
def _uses(tape: Tape, number: int) -> bool:
    """Whether an operation of a tape looks at a value."""
    return bool(np.any(tape.code[:, 1:] == number))
