"""`adiabaticity`: whether the reactions of a constraint can do work."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import singledispatch
from typing import Any

import numpy as np

from vinculum.bonds import Chetaev, Constraint, Rolling, Servo
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.trace import trace
from vinculum.derivations.adiabaticity.degrees import degree_of
from vinculum.derivations.adiabaticity.report import Adiabaticity, RowWork
from vinculum.derivations.starts.checks import check_paths
from vinculum.equations.constraints.efforts import seen_things
from vinculum.equations.constraints.named_efforts import unit_powers
from vinculum.equations.constraints.powers import row_powers
from vinculum.equations.constraints.realized import realized_by
from vinculum.errors import StartError
from vinculum.models.conditions.closed_loops import close, move
from vinculum.models.conditions.gaps import gaps_at
from vinculum.models.model import Model
from vinculum.models.model_cache import model_for
from vinculum.models.types import model_of
from vinculum.scalars import symbol, symbols
from vinculum.systems import Constrained, Tree, placements, start_state
from vinculum.systems.system import nearest
from vinculum.tolerances.constraints import CONSTRAINT_MET
from vinculum.tolerances.functions import NO_TIME_SLOPE, NO_VIRIAL, SAMPLED_SPAN, SPREAD
from vinculum.tolerances.samples import ADIABATIC_SAMPLES, ADIABATIC_TRIES


def adiabaticity(
    system,
    *names: str | Constraint | Rolling,
    start: Mapping[str, object] | None = None,
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
) -> Adiabaticity:
    r"""Whether the reactions of constraints (all, if none is named) can do work.

    .. math:: v^i\frac{\partial F_a}{\partial v^i} = g_a{}^b F_b

    means that they cannot: the constraint restricts directions of motion, as every F homogeneous in the velocities
    does. This is proved from the operations of F or in exact arithmetic where possible (Euler's relation, v·∂F/∂v = k
    F), and measured at random motions around ``start`` that satisfy all constraints. Rows on positions do no work
    unless they depend on time. For rows on accelerations v·∂F/∂v̇ is measured, and for a `Servo` the power of its
    efforts. Velocities are those of all bodies and joints of a constraint, including prescribed bodies, and of a `LagrangianSystem`
    those of its coordinates. Gołubowska (79)–(86).
    """
    return adiabaticity_in(system, names, start, parameters, t)


@singledispatch
def adiabaticity_in(
    system: Any,
    names: Sequence[object],
    start: Mapping[str, object] | None,
    parameters: Mapping[str, float] | None,
    t: float,
) -> Adiabaticity:
    """The work of reactions in what is described: bodies, where nothing else is registered for its class."""
    model = model_for(system)
    tree = model.tree
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run; adiabaticity needs the System it came from")
    chosen = _select_constraints(tree, names)
    ideal = model_of(realized_by(tree, {one.constraint.name for one in tree.constraints}, Chetaev()))
    assert ideal.tree is not None
    known = model.parameter_values(parameters)
    named = dict(zip(model.parameter_names, known.tolist(), strict=True))
    values = ideal.parameter_values(
        {name: x for name, x in named.items() if name in ideal.parameters and name[0] != "~"}
    )
    check_paths(ideal, t, values)
    q, v = start_state(ideal.tree, start, named)
    states, instants = _motions(ideal, q, v, t, values)
    lines = []
    for one in chosen:
        own = next(x for x in ideal.tree.constraints if x.constraint.name == one.constraint.name)
        lines += _lines(ideal, own, one, states, instants, values)
    return Adiabaticity(model.name, tuple(lines))


def _select_constraints(tree: Tree, names) -> list[Constrained]:
    known = {one.constraint.name: one for one in tree.constraints}
    asked = [name if isinstance(name, str) else str(getattr(name, "name", name)) for name in names]
    for name in asked:
        if name not in known:
            raise StartError(f"there is no constraint '{name}' in system '{tree.name}'{nearest(name, known)}")
    chosen = [known[name] for name in asked] or list(known.values())
    if not chosen:
        raise StartError(f"system '{tree.name}' has no constraint; add one, because joints that close loops do no work")
    return chosen


def _motions(model: Model, q, v, t: float, values) -> tuple[np.ndarray, np.ndarray]:
    """States around a start that keep every constraint, (n, nq + nv), and instants (n,), the first of which are ``t``."""
    rng = np.random.default_rng(7)
    state = np.concatenate([q, v])
    many = move(
        model,
        np.repeat(state[None], ADIABATIC_TRIES, axis=0),
        SPREAD * rng.normal(size=(ADIABATIC_TRIES, model.nv)),
        values,
    )
    many[:, model.nq :] += max(1.0, float(np.abs(v).max(initial=0.0))) * rng.normal(size=(ADIABATIC_TRIES, model.nv))
    instants = t + np.where(np.arange(ADIABATIC_TRIES) % 2 == 0, 0.0, SAMPLED_SPAN * rng.uniform(size=ADIABATIC_TRIES))
    with np.errstate(all="ignore"):
        kept = close(model, many, instants, values)
        at = gaps_at(model, kept, instants, values)
    size = CONSTRAINT_MET * np.maximum(1.0, np.abs(kept).max(axis=1))
    good = (np.abs(at.values).max(axis=1, initial=0.0) <= size) & (np.abs(at.rates).max(axis=1, initial=0.0) <= size)
    if not good.any():
        raise StartError(
            f"system '{model.name}': no motion around the start keeps all constraints; give start= near one that does"
        )
    return kept[good][:ADIABATIC_SAMPLES], instants[good][:ADIABATIC_SAMPLES]


def _lines(model: Model, constrained: Constrained, given: Constrained, states, instants, values) -> list[RowWork]:
    tree = model.tree
    assert tree is not None
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    there = tree.at(t, q)
    placed = placements(there, q, v)
    by = row_powers(there, constrained, placed, q, v, np.zeros(tree.nv))
    groups = {"virial": by.virial, "size": by.size, "time_slope": by.time_slope}
    if given.directions:
        groups["named"] = unit_powers(there, given, placed, q, v)
    tape = trace({"q": q, "v": v, "t": np.array([t])}, groups, model.parameters)
    rows = np.concatenate([states, instants[:, None], np.broadcast_to(values, (len(states), len(values)))], axis=1)
    found = evaluate_groups(tape, rows)
    finite = np.all([np.all(np.isfinite(x), axis=1) for x in found.values()], axis=0)
    if not finite.any():
        raise StartError(
            f"constraint '{constrained.constraint.name}' has no derivatives around this start; give start= elsewhere"
        )
    found = {name: x[finite] for name, x in found.items()}
    degrees = _degrees(tree, constrained)
    realization = _whose_reactions(given)
    lines = []
    for i, k in enumerate(degrees):
        size = max(float(found["size"][:, i].max()), np.finfo(float).tiny)
        virial = float(np.abs(found["virial"][:, i]).max()) if constrained.constraint.level else 0.0
        slope = float(np.abs(found["time_slope"][:, i]).max())
        lines.append(RowWork(
            constraint=constrained.constraint.name,
            row=str(i),
            level=constrained.constraint.level,
            realization=realization,
            is_linear=constrained.is_linear,
            degree=None if k is None else float(k),
            virial=0.0 if k is not None else virial if virial > NO_VIRIAL * size else 0.0,
            time_slope=slope if slope > NO_TIME_SLOPE * max(1.0, size) else 0.0,
            largest=virial / size,
            named=float(np.abs(found["named"][:, i]).max()) if given.directions else None,
        ))  # fmt: skip
    return lines


def _whose_reactions(constrained: Constrained) -> str:
    """The realization; of a servo that takes the derivatives of its program for directions, the one whose reactions it makes."""
    realization = constrained.constraint.realization
    by = realization.by if isinstance(realization, Servo) else None
    return type(realization).__name__ if by is None else {"chetaev": "Chetaev", "vakonomic": "Vakonomic"}[by]


def _degrees(tree: Tree, constrained: Constrained) -> list[Fraction | None]:
    """The degree of every row in the velocities where it is shown to be homogeneous."""
    if constrained.constraint.level != 1:
        return [None] * constrained.count
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    there = tree.at(t, q)
    things = seen_things(there, constrained, placements(there, q, v), q, v)
    moving = np.array([leaf for thing in things for leaf in thing.moving], dtype=object)
    F = constrained.constraint.rows([thing.view for thing in things], symbol("t"))
    return [degree_of(row, moving) for row in F]
