"""Random states of a phase space, and whether constraints are of the second class there."""

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.errors import MethodError, ModelError
from vinculum.geometry.hamiltonian.functions import space_tape
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.tolerances.rank import DEPENDENT_ROWS
from vinculum.tolerances.samples import METRIC_BOX, METRIC_TRIES


def random_rows(space: PhaseSpace, count: int, seed: int, size: float = METRIC_BOX) -> np.ndarray:
    """Rows (count, 2n + 1 + parameters) with random coordinates and momenta at the time 0, and parameters at their defaults."""
    draw = np.random.default_rng(seed).uniform(-size, size, (count, 2 * space.n))
    values = [space.parameters[name] for name in sorted(space.parameters)]
    return np.concatenate([draw, np.zeros((count, 1)), np.broadcast_to(values, (count, len(values)))], axis=1)


def pairs_of(space: PhaseSpace) -> tuple[tuple[int, int], ...]:
    """Pairs of constraints in the order in which elimination takes them, by the sizes of their brackets at a random state.

    Constraints that commute with all others are refused: they are of the first class, and generate symmetries.
    """
    count = len(space.constraints)
    tape = space_tape(space, {"C": space.explicit(space.constraint_brackets)})
    with np.errstate(all="ignore"):
        found = evaluate(tape, random_rows(space, METRIC_TRIES, 5)).reshape(-1, count, count)
    found = found[np.isfinite(found).all(axis=(1, 2))]
    if not len(found):
        raise MethodError(
            f"{space.where}: the brackets of its constraints are not finite at random states; look at the formulas"
        )
    C = found[np.argmax([np.linalg.svd(one, compute_uv=False)[-1] for one in found])].copy()
    sizes = np.linalg.svd(C, compute_uv=False)
    if count % 2 or not sizes[-1] > DEPENDENT_ROWS * sizes[0]:
        vectors = np.linalg.svd(C)[2][sizes <= DEPENDENT_ROWS * sizes[0]]
        parts = np.flatnonzero(np.abs(vectors).max(axis=0, initial=0.0) > DEPENDENT_ROWS**0.5)
        names = [space.constraint_names[k] for k in parts] or list(space.constraint_names)
        raise ModelError(
            f"{space.where}: the constraints {', '.join(dict.fromkeys(names))} have vanishing brackets with all others, so that they are "
            "of the first class; Dirac's bracket is for constraints of the second: add a condition that fixes the gauge, or give the "
            "constraint on positions alone, whose rate is added"
        )
    left, pairs = list(range(count)), []
    while left:
        part = np.abs(C[np.ix_(left, left)])
        i, j = (left[k] for k in np.unravel_index(np.argmax(np.triu(part)), part.shape))
        pairs.append((i, j))
        left = [k for k in left if k not in (i, j)]
        for k in left:
            C[k] = C[k] - (C[k, j] * C[i] - C[k, i] * C[j]) / C[i, j]
    return tuple(pairs)
