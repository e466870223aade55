"""Dispatch from a description to its phase space, and what all descriptions share."""

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.trace import trace
from vinculum.errors import ModelError
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.scalars import parameters, symbol
from vinculum.tolerances.rank import DEPENDENT_ROWS, SINGULAR_MASS
from vinculum.tolerances.samples import METRIC_BOX, METRIC_TRIES


@singledispatch
def legendre_transform(system: Any, coordinates: Callable | None) -> tuple[PhaseSpace, tuple[tuple[str, Any], ...]]:
    """The phase space of what is described, and the graphs over q and t of its holonomic constraints by name."""
    raise NotImplementedError(type(system).__name__)


def name_symbols(names: Sequence[str]) -> np.ndarray:
    """A symbol for every name, (n,)."""
    return np.array([*(symbol(name) for name in names), None], dtype=object)[:-1]


def check_regular(where: str, hessian: np.ndarray, leaves: np.ndarray, names: Sequence[str]) -> None:
    """Refuse a Hessian (m, m) over symbols ``leaves`` that is singular at every random state; ``names``: the velocities of its rows."""
    m, known = len(hessian), parameters(np.append(hessian, 0.0))
    draw = np.random.default_rng(6).uniform(-METRIC_BOX, METRIC_BOX, (METRIC_TRIES, len(leaves)))
    draw[METRIC_TRIES // 2 :] *= 0.2
    values = np.broadcast_to([known[name] for name in sorted(known)], (len(draw), len(known)))
    with np.errstate(all="ignore"):
        found = evaluate(trace({"x": leaves}, {"A": hessian}, known), np.concatenate([draw, values], axis=1))
    found = found.reshape(-1, m, m)
    found = found[np.isfinite(found).all(axis=(1, 2))]
    if not len(found):
        raise ModelError(f"{where}: the Hessian ∂²L/∂v∂v is not finite at random states; look at the Lagrangian")
    _, sizes, vectors = np.linalg.svd(found)
    scale = np.maximum(sizes[:, :1], np.finfo(float).tiny)
    flat = sizes <= SINGULAR_MASS * scale
    flat[sizes[:, 0] == 0.0] = True
    if not flat.any(axis=1).all():
        return
    least = int(np.argmin(flat.sum(axis=1)))
    shares = np.abs(vectors[least][flat[least]]).max(axis=0)
    undetermined = [name for name, share in zip(names, shares, strict=True) if share > DEPENDENT_ROWS**0.5]
    rank = m - int(flat[least].sum())
    raise ModelError(
        f"{where}: the Hessian ∂²L/∂v∂v has rank {rank} of {m} everywhere, so momenta do not determine {', '.join(undetermined)}; give "
        "each of these a kinetic energy of its own, or leave the coordinate out"
    )
