"""All velocities that have given momenta, and those whose momenta are degenerate: where Legendre's transform has no unique inverse."""

from collections.abc import Mapping

import numpy as np

from vinculum.compile.evaluate import evaluate_again
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.tolerances.iterations import (
    LEGENDRE_ENOUGH,
    LEGENDRE_SEARCH_ROUNDS,
    LEGENDRE_SEARCHES,
    LEGENDRE_STARTS,
    LEGENDRE_WRITTEN_LENGTHS,
    ONE_ROOT,
)
from vinculum.tolerances.rank import DEPENDENT_ROWS, SINGULAR_MASS


def momentum_tape(space: PhaseSpace, known: Mapping[str, float]) -> Tape:
    """What momenta lack to those of velocities w, and the Hessian, over (q, p, t, w, parameters)."""
    inputs = {"x": space.x, "t": np.array([space.t]), "w": space.w}
    return trace(inputs, {"gap": space.stationarity, "hessian": space.hessian}, known)


def velocities_with(tape: Tape, row: np.ndarray, values: np.ndarray, m: int) -> np.ndarray:
    """The different w (R, m) that have the momenta of a state (q, p, t), as far as Newton's method finds them from many starts."""

    def look(w):
        rows = np.concatenate([np.tile(row, (len(w), 1)), w, np.tile(values, (len(w), 1))], axis=1)
        with np.errstate(all="ignore"):
            found = evaluate_again(tape, rows)
        return found[:, :m], found[:, m:].reshape(-1, m, m)

    w = _search_starts(look(np.zeros((1, m)))[0][0])
    gap, H = look(w)
    usable = np.isfinite(gap).all(axis=1) & np.isfinite(H).all(axis=(1, 2))
    w, gap, H = w[usable], gap[usable], H[usable]
    alive, scale = np.arange(len(w)), max(1.0, float(np.abs(row).max()))
    enough = LEGENDRE_ENOUGH * scale
    for _ in range(LEGENDRE_SEARCH_ROUNDS):
        step = (np.linalg.pinv(H[alive], hermitian=True) @ gap[alive, :, None])[:, :, 0]
        size, waits, moved = np.abs(gap).max(axis=1, initial=0.0), np.arange(len(alive)), np.zeros(len(alive), bool)
        for k in range(LEGENDRE_WRITTEN_LENGTHS):
            trial = w[alive[waits]] + 0.25**k * step[waits]
            own, own_H = look(trial)
            better = np.abs(own).max(axis=1, initial=0.0) < size[alive[waits]]
            better &= np.isfinite(own_H).all(axis=(1, 2))
            to = alive[waits[better]]
            w[to], gap[to], H[to] = trial[better], own[better], own_H[better]
            moved[waits[better]] = True
            waits = waits[~better]
            if not len(waits):
                break
        alive = alive[moved & (np.abs(gap[alive]).max(axis=1, initial=0.0) > enough)]
        if not len(alive):
            break
    roots: list[np.ndarray] = []
    for one in w[np.abs(gap).max(axis=1, initial=0.0) <= enough]:
        parts = np.linspace(0.0, 1.0, 9)[:, None]
        between = [np.abs(look(one + parts * (other - one))[0]).max() for other in roots]
        if all(x > ONE_ROOT * scale for x in between):
            roots.append(one)
    return np.array(sorted(roots, key=tuple)).reshape(-1, m)


def degenerate_velocities(space: PhaseSpace, tape: Tape, row: np.ndarray, values: np.ndarray) -> list[str]:
    """Names of the velocities that momenta do not determine at a state (q, p, t), for momenta that are linear in them."""
    m = len(space.w)
    if not space.is_linear:
        return []
    with np.errstate(all="ignore"):
        H = evaluate_again(tape, np.concatenate([row, np.zeros(m), values])[None])[0, m:].reshape(m, m)
    if not np.isfinite(H).all():
        return []
    _, sizes, vectors = np.linalg.svd(H)
    flat = sizes <= SINGULAR_MASS * sizes[0]
    shares = np.abs(vectors[flat]).max(axis=0, initial=0.0)
    return [one.args[0] for one, share in zip(space.w, shares, strict=True) if share > DEPENDENT_ROWS**0.5]


def _search_starts(error: np.ndarray) -> np.ndarray:
    """Zero, several sizes along and against momenta, and random ones of these sizes."""
    signs = np.sign(error)
    sizes = np.array(LEGENDRE_STARTS)
    draw = np.random.default_rng(9)
    random = draw.normal(size=(LEGENDRE_SEARCHES, len(error))) * draw.choice(sizes, (LEGENDRE_SEARCHES, 1))
    return np.concatenate([np.zeros((1, len(error))), np.outer(sizes, signs), np.outer(-sizes, signs), random])
