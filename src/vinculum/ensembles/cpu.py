"""Many runs of one system on the cores of this machine, eight to a vector register."""

import os

import numpy as np

from vinculum.ensembles.adaptive_runs import adaptive_runs
from vinculum.ensembles.long_runs import long_runs
from vinculum.ensembles.prepared import FIXED, Request, prepare_runs
from vinculum.ensembles.runs import Runs
from vinculum.ensembles.starts import batch
from vinculum.errors import MethodError, StartError, did_you_mean
from vinculum.integrators.event_driven.given_impulses import check_instants
from vinculum.models.model import Model
from vinculum.models.model_cache import stepping_model_for
from vinculum.motion import model_for
from vinculum.motion.arguments import fixed_step, grid_instants, whole_span
from vinculum.motion.method import METHODS, Method
from vinculum.motion.problem import Problem
from vinculum.screws.entries import is_number, shorten
from vinculum.simulation.by_type import RUNS
from vinculum.simulation.options import Options, checked_flags
from vinculum.tolerances.methods import ENSEMBLE_LARGEST, ENSEMBLE_LEAST, ENSEMBLE_TOLERANCE


def ensemble(
    system,
    until: float,
    start=None,
    *,
    begin: float = 0.0,
    parameters=None,
    method: str = "dop853",
    tolerance: float | None = None,
    step: float | None = None,
    grid=2,
    device: str = "cpu",
    threads: int | None = None,
    repair: bool = False,
) -> Runs:
    """Runs from many starts or with many parameter values.

    ``start``: as for `simulate`, but every value may have a leading batch axis (inside `At` too): positions (B, nq),
    rates (B, nv), rotation matrices (B, 3, 3), a list of B poses; or a pair of arrays q (B, nq) and v (B, nv).
    ``parameters`` maps names to one value or (B,). Applied impulses act in every run. ``method``: "dop853" (each run its own steps)
    or "rk4", "verlet", "midpoint" with ``step``; for systems with contact "moreau" with ``step``, where ``tolerance`` is the residual of
    impulses. ``grid``: a number of instants or the instants themselves; for fixed steps without contact every instant
    must be a whole number of steps away from ``begin``. Constraints and closed loops hold after every step. Starts
    that violate constraints are refused, or with ``repair`` changed as little as possible. Ctrl-C returns the runs
    computed so far. A run fails if its rotation chart comes near a singularity, because ensembles do not change
    charts; chart="quaternion" has none. Of a `LagrangianSystem` every coordinate takes one value or (B,), methods are "dop853" and
    "rk4", and v holds the rest of the state: higher derivatives, momenta, vakonomic multipliers.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> runs = vc.ensemble(system, 1.0, {"hinge": [0.1, 0.2, 0.3]}, threads=1)
    >>> runs.q.shape
    (3, 2, 1)
    """  # fmt: skip
    if device != "cpu":
        raise MethodError(f"device {shorten(device)} is not available; use device='cpu'")
    if method == "moreau":
        options = Options(until, None, begin, None, method, tolerance, step, repair=repair)
        struck = bool(model_for(system).layout.impulses)
        model = (
            stepping_model_for(system) if struck else model_for(system)
        )  # over tables shapes answer impulses at once
        return _runs_by_steps(system, model, options, start, parameters, grid, threads)
    if repair not in (True, False):
        raise MethodError(f"repair {shorten(repair)} must be True or False")
    begin, until = whole_span(begin, until)
    tolerance = ENSEMBLE_TOLERANCE if tolerance is None else tolerance
    if not is_number(tolerance) or not ENSEMBLE_LEAST <= tolerance <= ENSEMBLE_LARGEST:
        raise MethodError(
            f"tolerance {shorten(tolerance)} must be a number between {ENSEMBLE_LEAST:g} and {ENSEMBLE_LARGEST:g}"
        )
    instants = grid_instants(grid, begin, until)
    if len(instants) < 2:
        raise StartError(f"grid has {len(instants)} instant: give at least two")
    workers = _workers(threads)
    if method != "dop853" and method not in FIXED:
        hint = did_you_mean(method, ("dop853", *FIXED, "moreau"))
        raise MethodError(
            f"method {shorten(method)} is not known for ensembles{hint}; use dop853, rk4, verlet, midpoint or moreau"
        )
    prepared = prepare_runs(system, Request(start, parameters, begin, until, method, repair))
    model, states, values = prepared.model, prepared.states, prepared.values
    check_instants(model, begin, until)
    if not model.type.has_graphs:
        if model.layout.gaps:
            raise MethodError(
                f"system '{model.name}': ensembles do not support the constraints and loops of so many bodies, which run over tables; "
                "call vc.simulate for each run, or use fewer bodies"
            )
        RUNS.of(model).check_method(model, method)
        length = None if method == "dop853" else fixed_step(method, step, until - begin, max(abs(begin), abs(until)))
        chosen = Method(METHODS[method], tolerance=float(tolerance) if length is None else None, step=length)
        return long_runs(model, chosen, states, values, begin, instants, workers)
    from vinculum.ensembles.fixed_runs import fixed_runs

    length = None if method == "dop853" else fixed_step(method, step, until - begin, max(abs(begin), abs(until)))

    def take(states: np.ndarray, begin: float, instants: np.ndarray) -> Runs:
        if length is None:
            return adaptive_runs(model, states, values, begin, instants, float(tolerance), workers)
        return fixed_runs(model, method, states, values, begin, instants, length, workers)

    if not model.layout.impulses:
        return prepared.finish(take(states, begin, instants))
    from vinculum.ensembles.struck_runs import struck_runs

    alone = Method(METHODS[method], tolerance=float(tolerance) if length is None else None, step=length)
    first = Problem(model, alone, begin, until, states[0], values[0])
    return prepared.finish(struck_runs(first, take, states, values, instants))


def _runs_by_steps(system, model: Model, options: Options, start, parameters, grid, threads) -> Runs:
    """Runs by time stepping."""
    from vinculum.ensembles.stepped_runs import stepped_runs

    checked_flags(options)
    begin, until = whole_span(options.begin, options.until)
    check_instants(model, begin, until)
    instants = grid_instants(grid, begin, until)
    if len(instants) < 2:
        raise StartError(f"grid has {len(instants)} instant: give at least two")
    states, values = batch(model, start, parameters)
    return stepped_runs(system, model, options, states, values, instants, _workers(threads))


def _workers(threads) -> int:
    if threads is None:
        return os.cpu_count() or 1
    if not isinstance(threads, (int, np.integer)) or isinstance(threads, bool) or threads < 1:
        raise MethodError(f"threads {shorten(threads)} must be a whole number from 1 on, or None for one a core")
    return int(threads)
