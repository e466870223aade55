"""`integrability`: whether constraints on velocities are equivalent to constraints on positions."""

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import numpy as np

from vinculum.bonds import Constraint, Rolling
from vinculum.derivations.integrability.kept_functions import kept_functions
from vinculum.derivations.integrability.pfaffian import (
    Pfaffian,
    allowed_velocities,
    are_pivots,
    closure_of,
    curls,
    pivots_of,
)
from vinculum.derivations.integrability.pfaffian_rows import chosen_constraints, is_timed, pfaffian_of
from vinculum.derivations.integrability.report import Dimensions, Integrability, IntegrableRows, RowLine
from vinculum.derivations.integrability.sampled import Samples
from vinculum.derivations.starts.checks import check_paths
from vinculum.derivations.starts.closed_positions import is_closed, least_gaps
from vinculum.errors import StartError
from vinculum.models.conditions.closed_loops import move
from vinculum.models.model import Model
from vinculum.models.model_cache import model_for
from vinculum.systems import start_state
from vinculum.tolerances.functions import SAME_CHANGE, SPREAD
from vinculum.tolerances.rank import ECHELON_ZERO, EXACT_FORM
from vinculum.tolerances.samples import INTEGRABILITY_SAMPLES, INTEGRABILITY_TRIES


def integrability(
    system,
    *names: str | Constraint | Rolling,
    start: Mapping[str, object] | None = None,
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
) -> Integrability:
    r"""Whether the constraints ``names`` (by default all on velocities) are integrable, and which positions can be
    reached under them.

    .. math:: d\omega_a\wedge\omega_1\wedge\dots\wedge\omega_m = 0

    is Frobenius's condition for rows ω v = 0 to be integrable. If it fails, the iterated brackets of the admissible
    fields give the dimension of the reachable set. Both are computed with exact derivatives at positions around
    ``start`` that satisfy the constraints on positions and the closed loops. Rows with a drift, ω v + c = 0, are rows
    in space and time. Realizations do not matter. For a `LagrangianSystem` positions are its coordinates. Gołubowska
    (46) and the text after it, which needs brackets as said.
    """  # fmt: skip
    return integrability_of(system, names, start, parameters, t)


@singledispatch
def integrability_of(system: Any, names, start, parameters, t: float) -> Integrability:
    """The same for what is described: bodies, where nothing else is registered for its class."""
    model = model_for(system)
    tree = model.tree
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run; integrability needs the System it came from")
    chosen = chosen_constraints(tree, names)
    values = model.parameter_values(parameters)
    known = dict(zip(model.parameter_names, values.tolist(), strict=True))
    check_paths(model, t, values)
    in_time, places, labels = pfaffian_of(tree, chosen)
    q, _ = start_state(tree, start, known)
    around = _places(model, q, t, values)
    samples = Samples(in_time.x, np.column_stack([np.array(around), np.full(len(around), t)]), known)
    return in_places_or_time(model.name, model.layout.q_names, in_time, places, labels, samples)


def in_places_or_time(name: str, q_names, in_time: Pfaffian, places: int, labels, samples: Samples) -> Integrability:
    """Rows that neither drift nor change by the clock are rows in places alone."""
    if is_timed(in_time, samples):
        return _report(name, q_names, in_time, places, labels, samples, True)
    still = Pfaffian(in_time.x[:-1], in_time.frame[:-1, :-1], in_time.rows[:, :-1])
    return _report(name, q_names, still, places, labels, samples, False)


def _report(
    name: str, q_names, pfaffian: Pfaffian, places: int, labels, samples: Samples, timed: bool
) -> Integrability:
    n = pfaffian.frame.shape[1]
    rows = samples.of(pfaffian.rows)
    on_places = len(pivots_of(rows[0, :places]))
    found = _closures(pfaffian, rows, samples, n - on_places)
    growth, _ = max(found, key=lambda one: one[0][-1])
    used = _independent(rows[0])
    redundant = tuple(label for i, label in enumerate(labels) if places + i not in used)
    combinations = _combinations(rows, samples.of(pfaffian.frame), places, found, growth[-1])
    return Integrability(
        system=name,
        constraints=tuple(dict.fromkeys(constraint for constraint, _ in labels)),
        dimensions=(sizes := Dimensions(n, on_places, tuple(growth))),
        rank=n - growth[0] - on_places,
        redundant=redundant,
        rows=_row_lines(rows, curls(pfaffian, samples), places, labels),
        integrals=IntegrableRows(
            sizes.positions - sizes.reachable,
            combinations,
            kept_functions(pfaffian, [*q_names, "t"][: len(pfaffian.x)], places, combinations),
        ),
        timed=timed,
    )


def _closures(pfaffian: Pfaffian, rows: np.ndarray, samples: Samples, most: int) -> list[tuple[list[int], np.ndarray]]:
    """`closure_of` at every sample; those at which one elimination serves share its fields."""
    found: dict[int, tuple[list[int], np.ndarray]] = {}
    for i in range(samples.count):
        if i in found:
            continue
        pivots = pivots_of(rows[i])
        at_all = closure_of(pfaffian, allowed_velocities(pfaffian.rows, pivots), samples, most + 1, most)
        alike = [k for k in range(i, samples.count) if k == i or are_pivots(rows[k], pivots)]
        found |= {k: at_all[k] for k in alike if k not in found}
    return [found[i] for i in range(samples.count)]


def _row_lines(rows: np.ndarray, d: np.ndarray, places: int, labels) -> tuple[RowLine, ...]:
    exact, alone = np.ones(len(labels), dtype=bool), np.ones(len(labels), dtype=bool)
    for at, curl in zip(rows, d, strict=True):
        fixed, inside = at[:places], _kernel(at[:places])
        for a, (row, own) in enumerate(zip(at[places:], curl[places:], strict=True)):
            size = max(np.abs(row).max(), np.finfo(float).tiny)
            along = _kernel(np.concatenate([fixed, row[None]]))
            exact[a] &= np.abs(inside.T @ own @ inside).max(initial=0.0) <= EXACT_FORM * size
            alone[a] &= np.abs(along.T @ own @ along).max(initial=0.0) <= EXACT_FORM * size
    return tuple(RowLine(name, row, bool(e), bool(f)) for (name, row), e, f in zip(labels, exact, alone, strict=True))


def _combinations(
    rows: np.ndarray, frames: np.ndarray, places: int, found, reached: int
) -> tuple[tuple[float, ...], ...] | None:
    """Coefficients of the rows' combinations that integrate, where they are the same at all samples; else None."""
    seen = []
    for at, E, (growth, basis) in zip(rows, frames, found, strict=True):
        if growth[-1] != reached:
            continue
        reach = np.linalg.lstsq(E, basis.T, rcond=None)[0]
        reachable = np.concatenate([reach, _complement(_kernel(at[:places]))], axis=1)
        seen.append(_echelon(_kernel((at[places:] @ reachable).T, float(np.abs(at[places:]).max()))))
    same = all(one.shape == seen[0].shape and np.allclose(one, seen[0], atol=SAME_CHANGE) for one in seen)
    return tuple(tuple(row) for row in seen[0].tolist()) if same else None


def _kernel(rows: np.ndarray, size: float = EXACT_FORM) -> np.ndarray:
    """Orthonormal columns (n, d) with rows @ columns = 0; ``size``: of what the rows were made of."""
    if not len(rows):
        return np.eye(rows.shape[1])
    _, s, Vt = np.linalg.svd(rows)
    return Vt[int(np.sum(s > EXACT_FORM * max(s.max(initial=0.0), size))) :].T


def _complement(columns: np.ndarray) -> np.ndarray:
    return _kernel(columns.T) if columns.size else np.eye(len(columns))


def _echelon(columns: np.ndarray) -> np.ndarray:
    """Reduced rows (d, m) that span what the columns (m, d) span, without round-off."""
    rows = columns.T.copy()
    for k, (i, j) in enumerate(pivots_of(rows)):
        rows[[k, i]] = rows[[i, k]] if k != i else rows[[k, i]]
        rows[k] /= rows[k, j]
        others = [i for i in range(len(rows)) if i != k]
        rows[others] -= np.outer(rows[others, j], rows[k])
    order = sorted(range(len(rows)), key=lambda i: int(np.argmax(np.abs(rows[i]) > 0.5)))
    return np.where(np.abs(rows) > ECHELON_ZERO, rows, 0.0)[order]


def _independent(rows: np.ndarray) -> list[int]:
    """Rows that do not follow from those before them."""
    kept: list[int] = []
    for i in range(len(rows)):
        if len(pivots_of(rows[[*kept, i]])) > len(kept):
            kept.append(i)
    return kept


def _places(model: Model, q: np.ndarray, t: float, values) -> list[np.ndarray]:
    """Coordinates around q that meet everything that holds positions."""
    rng, found = np.random.default_rng(5), []
    free = np.zeros(model.nv, dtype=bool)
    for _ in range(INTEGRABILITY_TRIES):
        state = np.concatenate([q, np.zeros(model.nv)])[None]
        near = move(model, state, SPREAD * rng.normal(size=(1, model.nv)), values)[0]
        if model.layout.gaps:
            near = least_gaps(model, near, t, values, free)
            if not is_closed(model, near, t, values):
                continue
        found.append(near[: model.nq])
        if len(found) == INTEGRABILITY_SAMPLES:
            return found
    raise StartError(
        f"system '{model.name}': no positions near the start satisfy the constraints on positions; give another start="
    )
