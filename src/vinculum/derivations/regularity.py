"""Whether a Lagrangian determines velocities from momenta, and the next derivatives from a state."""

import numpy as np

from vinculum.errors import StartError
from vinculum.tolerances.rank import SIGN_KEPT, SINGULAR_MASS, VANISHES_HERE

NOT_A_SQUARE = "it does not change its sign where it vanishes; write what shall vanish itself, not as a square"


def keeps_sign(here: float, values: np.ndarray) -> bool:
    """Whether a row whose Jacobian is zero at a state is a square or the like: it vanishes ``here``, and has one sign nearby."""
    low, high = float(np.min(values)), float(np.max(values))
    size = max(abs(low), abs(high))
    return abs(here) < VANISHES_HERE * size and (low >= -SIGN_KEPT * size or high <= SIGN_KEPT * size)


def check_hessian(name: str, H: np.ndarray, q, v) -> None:
    """Refuse a singular Hessian ∂²L/∂v∂v. Gołubowska (16)."""
    s = np.linalg.svd(H, compute_uv=False) if np.all(np.isfinite(H)) else np.full(2, np.nan)
    if not s[-1] > SINGULAR_MASS * s[0]:
        raise StartError(
            f"system '{name}': the Hessian ∂²L/∂v∂v is singular at {_place(q, v)} (singular values {s[0]:.3g} to {s[-1]:.3g}), so "
            "momenta do not determine velocities there; every coordinate needs a kinetic energy of its own; "
            "leave out those that have none"
        )


def check_determined(name: str, K: np.ndarray, n: int, q, v, order: int, idle: str = "") -> None:
    """Refuse a state at which K, the Hessian (n, n) bordered by the rows of constraints, is singular; ``idle``: what is known of rows
    that vanish there."""
    if len(K) == n and order == 1:
        check_hessian(name, K, q, v)
    finite = bool(np.all(np.isfinite(K)))
    s = np.linalg.svd(K, compute_uv=False) if finite else np.full(2, np.nan)
    if not s[-1] > SINGULAR_MASS * s[0]:
        rank = f"rank {np.linalg.matrix_rank(K)} of {len(K)}" if finite else "it is not finite"
        raise StartError(
            f"system '{name}': at {_place(q, v)} the equations do not determine the derivatives of order {order + 1}, as the Hessian "
            f"with {len(K) - n} row{'s' * (len(K) - n != 1)} of constraints is singular ({rank}); "
            + (idle or "look for constraints that depend on each other, and for multipliers at which inertia vanishes")
        )


def _place(q, v) -> str:
    return f"q = {np.round(q, 6).tolist()}, v = {np.round(v, 6).tolist()}"
