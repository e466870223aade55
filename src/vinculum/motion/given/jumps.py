"""Impacts of motions from other programs: where velocities jump, and the impulses."""

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model import Model
from vinculum.motion.impulses.atoms import Atoms
from vinculum.tolerances.certificates import HARDLY_MOVES
from vinculum.tolerances.iterations import EVENT_HALVINGS
from vinculum.tolerances.rank import DEPENDENT_GRAM
from vinculum.tolerances.samples import INSTANTS_CONTINUED
from vinculum.tolerances.time import SAME_OF_AN_INTERVAL


def impacts_between(
    model: Model, time: np.ndarray, states: np.ndarray, values: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Instants (T + 2K,) and states with both sides of every impact that lies between two of the given ones, each side at the same instant,
    and how well they are known: the relative difference of polynomials through more and fewer instants.

    An impact is where a gap closes and opens again, or stays closed; both sides are continued to it by polynomials.
    """
    cuts, first, known = [], 0, 0.0
    sizes = _sizes(model, states)
    for k, at, gap in _hits(model, time, states, values, tolerance):
        before = slice(max(first, k + 1 - INSTANTS_CONTINUED), k + 1)
        t = at if gap is None else _closing(model, time, states, values, before, k, gap)
        left, apart = _extrapolate(time[before], states[before], t)
        known = max(known, float((apart / sizes).max()))
        cuts.append((k, t, left))
        first = k + 1
    if not cuts:
        return time, states, 0.0
    ends = [*(k + 1 for k, _, _ in cuts[1:]), len(time)]
    times, rows = [time[: cuts[0][0] + 1]], [states[: cuts[0][0] + 1]]
    for (k, t, left), end in zip(cuts, ends, strict=True):
        after = slice(k + 1, min(end, k + 1 + INSTANTS_CONTINUED))
        right, apart = _extrapolate(time[after], states[after], t)
        known = max(known, float((apart / sizes).max()))
        right[: model.nq] = left[: model.nq]
        near = SAME_OF_AN_INTERVAL * (time[k + 1] - time[k])
        begin = k + 1 + int(time[k + 1] - t <= near and end > k + 2)
        if t - times[-1][-1] <= near and len(times[-1]) > 1:
            times[-1], rows[-1] = times[-1][:-1], rows[-1][:-1]
        times += [np.array([t, t]), time[begin:end]]
        rows += [np.stack([left, right]), states[begin:end]]
    return np.concatenate(times), np.concatenate(rows), known


def shut_scales(gaps: np.ndarray, jacobians: np.ndarray, time: np.ndarray, states: np.ndarray, nq: int) -> np.ndarray:
    """Length [m] and speed [m/s] that gaps and their rates are measured against, with ten times in hand, (2,): the largest in the motion,
    of speeds that of their terms, or what leads that far in its length."""
    length = max(float(np.abs(gaps).max(initial=0.0)), float(np.abs(states[:, :nq]).max(initial=0.0)))
    terms = np.einsum("tcn,tn->tc", np.abs(jacobians), np.abs(states[:, nq:]))
    return 10.0 * np.array([length, max(float(terms.max(initial=0.0)), length / (time[-1] - time[0]))])


def contact_impulses_of(
    model: Model, time: np.ndarray, left: np.ndarray, right: np.ndarray, values: np.ndarray, near: float
) -> Atoms:
    """Atoms at instants (K,) of velocities that jump between states (K, n): impulses of unilateral constraints whose gaps are below
    ``near`` [m], the least that make the jumps, or, where an impulse is given, what it is."""
    nq, nv, count = model.nq, model.nv, len(time)
    found = evaluate_groups(model.tape("unilaterals"), _rows(left, time, values))
    m = found["gaps"].shape[1]
    M, G = found["mass_matrix"].reshape(count, nv, nv), found["bilateral"].reshape(count, len(model.layout.gaps), nv)
    H = found["jacobians"].reshape(count, found["drifts"].shape[1], nv)
    entries, instants = list(model.layout.unilaterals.values()), _given_instants(model)
    P, Q = np.zeros((count, H.shape[1])), np.zeros((count, nv))
    for k in range(count):
        carried = M[k] @ (right[k, nq:] - left[k, nq:])
        if len(instants) and np.abs(instants - time[k]).min() <= SAME_OF_AN_INTERVAL:
            Q[k] = carried
            continue
        closed = [c for c in range(m) if abs(found["gaps"][k, c]) <= near]
        rows = [3 * c + i for c in closed for i in ((0, 1, 2) if entries[c].friction else (0,))]
        L = np.linalg.cholesky(M[k])
        A = np.linalg.solve(L, np.concatenate([H[k, rows], G[k]]).T)
        P[k, rows] = np.linalg.lstsq(A, np.linalg.solve(L, carried), rcond=DEPENDENT_GRAM)[0][: len(rows)]
    return Atoms(time, P, Q if model.layout.impulses else None)


def _hits(model: Model, time, states, values, tolerance: float) -> list[tuple[int, float, int | None]]:
    """Intervals in which a gap closes and its rate jumps, with the gap, and those of given impulses with their instants."""
    hits: dict[int, tuple[float, int | None]] = {}
    if model.layout.unilaterals:
        found = evaluate_groups(model.tape("unilaterals"), _rows(states, time, values))
        gaps, m = found["gaps"], found["gaps"].shape[1]
        H = found["jacobians"].reshape(len(time), -1, model.nv)[:, : 3 * m : 3]
        u = np.einsum("tcn,tn->tc", H, states[:, model.nq :]) + found["drifts"][:, : 3 * m : 3]
        h = np.diff(time)[:, None]
        # a gap that would close within the interval at this rate, up to what the rate changes in it, and does not go on closing
        jump, least = u[1:] - u[:-1], tolerance * shut_scales(gaps, H, time, states, model.nq)[1]
        closes = (u[:-1] < -least) & (gaps[:-1] + h * u[:-1] <= 0.25 * h * np.abs(jump)) & (u[1:] >= 0.5 * u[:-1])
        usual = np.median(np.abs(jump), axis=0)
        for k, c in zip(*np.nonzero(closes & (np.abs(jump) > 4.0 * usual)), strict=True):
            hits.setdefault(int(k), (0.0, int(c)))
    for at in _given_instants(model):
        k = int(np.searchsorted(time, at, side="right")) - 1
        if 0 <= k < len(time) - 1:
            hits[k] = (float(at), None)
    return [(k, *hits[k]) for k in sorted(hits)]


def _closing(model: Model, time, states, values, before: slice, k: int, gap: int) -> float:
    """Where the motion before an interval, continued, closes a gap in it, by bisection."""

    def width(t: float) -> float:
        row = _rows(_extrapolate(time[before], states[before], t)[0][None], np.array([t]), values)
        return float(evaluate_groups(model.tape("distances"), row)["gaps"][0, gap])

    low, high = float(time[k]), float(time[k + 1])
    if width(low) <= 0.0:
        return low
    if width(high) > 0.0:
        return high
    for _ in range(EVENT_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if width(middle) > 0.0 else (low, middle)
    return 0.5 * (low + high)


def _extrapolate(time: np.ndarray, states: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
    """The polynomial through states at instants, at another one, and what one of a lower degree, without the instant farthest away, differs
    by."""
    far = int(np.argmax(np.abs(time - t)))
    found = _weights(time, t) @ states
    if len(time) < 2:
        return found, np.abs(found)
    return found, np.abs(_weights(np.delete(time, far), t) @ np.delete(states, far, axis=0) - found)


def _weights(time: np.ndarray, t: float) -> np.ndarray:
    """What the polynomial through values at instants is made of at another one. Berrut and Trefethen, SIAM Rev. 46 (2004) 501."""
    return np.array([np.prod((t - np.delete(time, i)) / (x - np.delete(time, i))) for i, x in enumerate(time)])


def _sizes(model: Model, states: np.ndarray) -> np.ndarray:
    """The largest change of coordinates, and the largest velocity, among those that share a joint and a unit, (n,)."""
    groups, own = np.asarray(model.layout.groups, dtype=int), np.abs(states).max(axis=0)
    own[: model.nq] = np.ptp(states[:, : model.nq], axis=0)
    largest = np.zeros(groups.max(initial=-1) + 1)
    np.maximum.at(largest, groups, own)
    # what hardly moves is as well known as what does
    kinds = [slice(0, model.nq), slice(model.nq, None)]
    for kind in kinds:
        own[kind] = np.maximum(largest[groups[kind]], HARDLY_MOVES * own[kind].max(initial=0.0))
    return np.maximum(own, np.finfo(float).tiny)


def _given_instants(model: Model) -> np.ndarray:
    return np.array([at for entry in model.layout.impulses.values() for at in entry.at], dtype=float)


def _rows(states: np.ndarray, time: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.concatenate([states, time[:, None], np.broadcast_to(values, (len(time), len(values)))], axis=1)
