"""`integrability`: whether constraints on velocities are constraints on places in disguise."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vinculum.bonds import Constraint, Rolling
from vinculum.derivations.checks import check_paths
from vinculum.derivations.closed_positions import is_closed, least_gaps
from vinculum.derivations.integrability_report import Integrability, RowLine
from vinculum.derivations.pfaffian import Pfaffian, allowed, closure_of, curls, pivots_of
from vinculum.equations.closures import gap_drifts, gap_jacobian, gap_names
from vinculum.equations.constraint_rows import rows_of
from vinculum.equations.coordinate_rates import rates
from vinculum.errors import MethodError, StartError
from vinculum.kernels.closed_loops import moved
from vinculum.kernels.model import Model
from vinculum.kernels.models import model_for
from vinculum.scalars import depends_on, jacobian, substitute, symbol, symbols
from vinculum.systems import Held, Tree, start_state
from vinculum.systems.system import nearest

SAMPLES = 3
SPREAD = 0.4
FLAT = 1e-8
TRIES = 20


def integrability(
    system,
    *names: str | Constraint | Rolling,
    start: Mapping[str, object] | None = None,
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
) -> Integrability:
    r"""Whether the constraints ``names`` (all on velocities, if none is named) hold places, and what can be reached under them.

    .. math:: d\omega_a\wedge\omega_1\wedge\dots\wedge\omega_m = 0

    is Frobenius's condition for rows ω v = 0 to be integrable; where it fails, the iterated brackets of the fields that ω allows
    say how many dimensions can be reached. Both are found with exact derivatives at places around ``start`` that meet the
    constraints on positions and the closed loops, which are kept throughout. Rows with a drift, ω v + c = 0, are rows in space and time.
    Realizations do not matter here. Gołubowska (46) and the text after it, which needs brackets as said.
    """  # fmt: skip
    model = model_for(system)
    tree = model.tree
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run; integrability needs the System it came from")
    chosen = _chosen(tree, names)
    values = model.parameter_values(parameters)
    known = dict(zip(sorted(model.parameters), values.tolist(), strict=True))
    check_paths(model, t, values)
    in_time, places, labels = _rows(tree, chosen)
    q, _ = start_state(tree, start, known)
    samples = [np.append(x, t) for x in _places(model, q, t, values)]
    if _is_timed(in_time, samples, known):
        return _report(model.name, in_time, places, labels, samples, known, True)
    still = Pfaffian(in_time.x[:-1], in_time.frame[:-1, :-1], in_time.rows[:, :-1])
    return _report(model.name, still, places, labels, [x[:-1] for x in samples], known, False)


def _report(name: str, pfaffian: Pfaffian, places: int, labels, samples, known, timed: bool) -> Integrability:
    n, deepest = pfaffian.frame.shape[1], pfaffian.frame.shape[1] + 1
    held = replace(pfaffian, rows=pfaffian.rows[:places])
    found, best = [], None
    for place in samples:
        pivots = pivots_of(pfaffian.at(pfaffian.rows, place, known))
        growth, basis = closure_of(pfaffian, allowed(pfaffian.rows, pivots), place, known, deepest)
        found.append((growth, pivots, basis))
        if best is None or growth[-1] > best[0][-1]:
            best = found[-1]
    assert best is not None
    growth, pivots, _ = best
    rank, on_places = len(pivots), len(pivots_of(held.at(held.rows, samples[0], known)))
    used = _independent(pfaffian.at(pfaffian.rows, samples[0], known))
    redundant = tuple(label for i, label in enumerate(labels) if places + i not in used)
    return Integrability(
        system=name,
        constraints=tuple(dict.fromkeys(constraint for constraint, _ in labels)),
        velocities=n,
        on_places=on_places,
        rank=rank - on_places,
        growth=tuple(growth),
        redundant=redundant,
        rows=_row_lines(pfaffian, places, labels, samples, known),
        combinations=_combinations(pfaffian, places, samples, known, found, growth[-1]),
        timed=timed,
    )


def _row_lines(pfaffian: Pfaffian, places: int, labels, samples, known) -> tuple[RowLine, ...]:
    exact, alone = np.ones(len(labels), dtype=bool), np.ones(len(labels), dtype=bool)
    for place in samples:
        rows, d = pfaffian.at(pfaffian.rows, place, known)[places:], curls(pfaffian, place, known)
        fixed = pfaffian.at(pfaffian.rows, place, known)[:places]
        inside, d = _kernel(fixed), d[places:]
        for a, row in enumerate(rows):
            size = max(np.abs(row).max(), np.finfo(float).tiny)
            along = _kernel(np.concatenate([fixed, row[None]]))
            exact[a] &= np.abs(inside.T @ d[a] @ inside).max(initial=0.0) <= FLAT * size
            alone[a] &= np.abs(along.T @ d[a] @ along).max(initial=0.0) <= FLAT * size
    return tuple(RowLine(*label, bool(e), bool(f)) for label, e, f in zip(labels, exact, alone, strict=True))


def _combinations(
    pfaffian: Pfaffian, places: int, samples, known, found, reached: int
) -> tuple[tuple[float, ...], ...] | None:
    """Coefficients of the rows' combinations that integrate, where they are the same at all samples; else None."""
    seen = []
    for place, (growth, _, basis) in zip(samples, found, strict=True):
        if growth[-1] != reached:
            continue
        rows, E = pfaffian.at(pfaffian.rows, place, known), pfaffian.at(pfaffian.frame, place, known)
        reach = np.linalg.lstsq(E, basis.T, rcond=None)[0]
        fixed = _kernel(rows[:places])
        reachable = np.concatenate([reach, _complement(fixed)], axis=1)
        seen.append(_echelon(_kernel((rows[places:] @ reachable).T)))
    same = all(one.shape == seen[0].shape and np.allclose(one, seen[0], atol=1e-7) for one in seen)
    return tuple(tuple(row) for row in seen[0].tolist()) if same else None


def _kernel(rows: np.ndarray) -> np.ndarray:
    """Orthonormal columns (n, d) with rows @ columns = 0."""
    if not len(rows):
        return np.eye(rows.shape[1])
    _, s, Vt = np.linalg.svd(rows)
    return Vt[int(np.sum(s > FLAT * max(s.max(initial=0.0), FLAT))) :].T


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
    return np.where(np.abs(rows) > 1e-9, rows, 0.0)[order]


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
    for _ in range(TRIES):
        state = np.concatenate([q, np.zeros(model.nv)])[None]
        near = moved(model, state, SPREAD * rng.normal(size=(1, model.nv)), values)[0]
        if model.layout["gaps"]:
            near = least_gaps(model, near, t, values, free)
            if not is_closed(model, near, t, values):
                continue
        found.append(near[: model.nq])
        if len(found) == SAMPLES:
            return found
    raise StartError(
        f"system '{model.name}': no places around the start meet the constraints on positions; give start= nearer to one"
    )


def _rows(tree: Tree, chosen: list[Held]) -> tuple[Pfaffian, int, list[tuple[str, str]]]:
    """Everything that holds positions, then the chosen rows, in space and time; how many the first are, labels of the others."""
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    there = tree.at(t)
    others = [one for one in tree.constraints if one.holds and one.constraint.level == 0 and one not in chosen]
    first, own = rows_of(there, others, q, v), rows_of(there, chosen, q, v)
    slopes, speeds = [first.slopes, own.slopes], [first.rates, own.rates]
    places = len(first.rates)
    if tree.closures:
        slopes.insert(0, gap_jacobian(there, q))
        speeds.insert(0, gap_drifts(there, q))
        places += len(gap_names(tree))
    labels = [(one.constraint.name, str(i)) for one in chosen for i in range(one.count)]
    for (name, row), slope in zip(labels, own.slopes, strict=True):
        if depends_on(slope, v):
            raise MethodError(
                f"constraint '{name}': row {row} is not linear in the velocities, and integrability is asked of linear rows; "
                "a nonlinear one restricts speeds, not directions"
            )
    J, c = (substitute(np.concatenate(part), v, np.zeros(tree.nv)) for part in (slopes, speeds))
    N = jacobian(rates(there, q, v), v)
    x = np.append(q, np.array([t], dtype=object))
    frame = np.zeros((tree.nq + 1, tree.nv + 1), dtype=object)
    frame[:-1, :-1], frame[-1, -1] = N, 1.0
    return Pfaffian(x, frame, np.concatenate([J, c[:, None]], axis=1)), places, labels


def _is_timed(rows: Pfaffian, samples, known) -> bool:
    """Whether the rows change by the clock or drift."""
    if depends_on(rows.rows[:, :-1], rows.x[-1:]):
        return True
    return any(np.abs(rows.at(rows.rows[:, -1], place, known)).max(initial=0.0) > FLAT for place in samples)


def _chosen(tree: Tree, names) -> list[Held]:
    known = {one.constraint.name: one for one in tree.constraints}
    asked = [name if isinstance(name, str) else name.name for name in names]
    for name in asked:
        if name not in known:
            raise StartError(f"there is no constraint '{name}' in system '{tree.name}'{nearest(name, known)}")
    chosen = [known[name] for name in asked] or [one for one in known.values() if one.constraint.level == 1]
    if not chosen:
        raise StartError(
            f"system '{tree.name}' has no constraint on velocities; name one of its constraints, or add one"
        )
    for one in chosen:
        if one.constraint.level == 2:
            raise MethodError(
                f"constraint '{one.constraint.name}' is on accelerations, and integrability is asked of rows of velocities; "
                "use a constraint on velocities"
            )
    return chosen
