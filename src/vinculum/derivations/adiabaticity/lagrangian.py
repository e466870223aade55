"""Whether the reactions of constraints of a Lagrangian system can do work."""

from collections.abc import Mapping, Sequence

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.adiabaticity.degrees import degree_of
from vinculum.derivations.adiabaticity.report import Adiabaticity, RowWork
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.derivations.lagrangian.random_states import keep_constraints
from vinculum.derivations.lagrangian.start import lagrangian_state
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.equations.lagrangian.principle import Rows
from vinculum.errors import StartError
from vinculum.scalars import depends_on, jacobian
from vinculum.scalars.math import abs as absolute
from vinculum.screws.entries import entries
from vinculum.systems import nearest
from vinculum.tolerances.functions import NO_TIME_SLOPE, NO_VIRIAL, SAMPLED_SPAN, SPREAD
from vinculum.tolerances.samples import ADIABATIC_SAMPLES, ADIABATIC_TRIES


def adiabaticity_of_lagrangian(
    system: LagrangianSystem,
    names: Sequence[object],
    start: Mapping[str, object] | None,
    parameters: Mapping[str, float] | None,
    t: float,
) -> Adiabaticity:
    """The rows of constraints at random motions around a start; of a row of order k on derivatives the virial is v·∂F/∂q^{(k)}."""
    numbers, principle = system.numbers, system.principle
    chosen = _select(system, names)
    values = numbers.values(parameters)
    rows = _motions(numbers, start, float(entries("t", t, (), refusal=StartError)), values)
    lines = []
    for one in chosen:
        lines += _lines(numbers, one, rows)
    lines += [
        _idle_line(system, name, i) for name, count in principle.idle if _is_asked(names, name) for i in range(count)
    ]
    return Adiabaticity(system.name, tuple(lines))


def _is_asked(names: Sequence[object], name: str) -> bool:
    return not names or name in names


def _select(system: LagrangianSystem, names: Sequence[object]) -> list[Rows]:
    principle = system.principle
    known = {one.name: one for one in (*principle.stationary, *principle.ideal, *principle.loose)}
    every = dict(system.constraints or {})
    for name in names:
        if not isinstance(name, str) or name not in every:
            raise StartError(f"there is no constraint '{name}' in system '{system.name}'{nearest(str(name), every)}")
    if not every:
        raise StartError(
            f"system '{system.name}' has no constraint, and no reactions; add one, or leave the question out"
        )
    return [known[name] for name in every if name in known and _is_asked(names, name)]


def _motions(numbers: LagrangianNumbers, start, t: float, values: np.ndarray) -> np.ndarray:
    """Rows (state, t, parameters) around a start that keep every constraint, the first of them at the instant ``t``."""
    rng = np.random.default_rng(7)
    state = _rest(numbers) if start is None else lagrangian_state(numbers, start, t, values, repair=True)[0]
    n, moving = numbers.principle.n, (numbers.principle.order + 1) * numbers.principle.n
    many = np.repeat(state[None], ADIABATIC_TRIES, axis=0)
    many[:, :n] += SPREAD * rng.normal(size=(ADIABATIC_TRIES, n))
    speed = max(1.0, float(np.abs(state[n:moving]).max(initial=0.0)))
    many[:, n:moving] += speed * rng.normal(size=(ADIABATIC_TRIES, moving - n))
    instants = t + np.where(np.arange(ADIABATIC_TRIES) % 2 == 0, 0.0, SAMPLED_SPAN * rng.uniform(size=ADIABATIC_TRIES))
    given = np.broadcast_to(values, (ADIABATIC_TRIES, len(values)))
    kept = keep_constraints(numbers, np.concatenate([many, instants[:, None], given], axis=1))
    if not len(kept):
        raise StartError(
            f"system '{numbers.name}': no motion around the start keeps all constraints; give start= near one that does"
        )
    return kept[:ADIABATIC_SAMPLES]


def _rest(numbers: LagrangianNumbers) -> np.ndarray:
    return np.zeros(len(numbers.form.state))


def _lines(numbers: LagrangianNumbers, one: Rows, rows: np.ndarray) -> list[RowWork]:
    jet = numbers.principle.jet
    by = jacobian(one.F, jet.levels[one.level])
    terms = by * jet.levels[1]
    slope = np.asarray(jacobian(one.F, np.array([jet.t], dtype=object)), dtype=object)[:, 0]
    tape = numbers.tape({"virial": terms.sum(axis=1), "size": absolute(terms).sum(axis=1), "time_slope": slope})
    found = evaluate_groups(tape, rows)
    finite = np.all([np.isfinite(x).all(axis=1) for x in found.values()], axis=0)
    if not finite.any():
        raise StartError(f"constraint '{one.name}' has no derivatives around this start; give start= elsewhere")
    found = {name: x[finite] for name, x in found.items()}
    is_linear = one.level != 1 or not depends_on(np.append(np.ravel(by), 0.0), jet.levels[1])
    lines = []
    for i, F in enumerate(one.F):
        k = degree_of(F, jet.levels[1]) if one.level == 1 else None
        size = max(float(found["size"][:, i].max()), np.finfo(float).tiny)
        virial = float(np.abs(found["virial"][:, i]).max()) if one.level else 0.0
        moved = float(np.abs(found["time_slope"][:, i]).max())
        lines.append(
            RowWork(
                constraint=one.name,
                row=str(i),
                level=min(one.level, 2),
                realization=type(one.realization).__name__,
                is_linear=is_linear,
                degree=None if k is None else float(k),
                virial=0.0 if k is not None else virial if virial > NO_VIRIAL * size else 0.0,
                time_slope=moved if moved > NO_TIME_SLOPE * max(1.0, size) else 0.0,
                largest=virial / size,
            )
        )
    return lines


def _idle_line(system: LagrangianSystem, name: str, row: int) -> RowWork:
    """A row that is always zero constrains nothing and has no reaction."""
    realization = type(dict(system.constraints or {})[name][1]).__name__
    return RowWork(name, str(row), 0, realization, True, None, 0.0, 0.0, 0.0)
