"""Whether a scene has no motion beyond an instant, found without the engines: from its masses, Jacobians and laws.

Two cases are recognized. An impact has no solution if no choice of open, sticking and sliding contacts satisfies the impact laws: the
choices are enumerated, and each is a linear program. And impacts that create energy without end leave no finite velocity: every impact
keeps its law, and together they have created a million times the energy of the first of them.
"""

import itertools

import numpy as np
from scipy.optimize import linprog

from vinculum.motion.states import tape_groups

SHUT, APPROACHES = 1e-7, 1e-6
"""Gaps [m] that count as closed, and speeds of approach [m/s] that make an impact."""
SIDEWAYS = 1e-9
"""Slips can take one direction only if all others are below this part of it: then they have two signs, and not a circle of directions."""
WITHOUT_END = 1e6
"""Energy that impacts have created, as multiple of the energy that the first of them exchanged, after which it grows without end."""
LAW_KEPT = 1e-6
"""Parts of speeds by which impacts may miss their law."""


def no_motion(system, motion) -> str:
    """Why there is no motion after the end of a run that stopped; empty if that is not shown."""
    if motion is None or not len(motion.record.pieces):
        return ""
    if _creates_energy_without_end(system, motion):
        return "its impacts create energy without end"
    return "its last impact has no solution" if _has_no_impact(system, motion) else ""


def _laws(system) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Restitution, friction, whether impacts are by Poisson's ratio, and whether they are sequential, of all unilateral constraints."""
    every = list(system.unilaterals.values())
    e = np.array([0.0 if one.impact is None else one.impact.restitution for one in every])
    mu = np.array([0.0 if one.friction is None else max(one.friction.coefficients) for one in every])
    by_impulses = np.array([one.impact is not None and one.impact.by_impulses for one in every])
    in_turn = np.array([one.impact is not None and one.impact.treatment == "sequential" for one in every])
    return e, mu, by_impulses, in_turn


def _contacts(motion, times: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Gaps (T, m), Jacobians (T, 3 m, n), drifts (T, 3 m) and inverse masses on the bonds (T, n, n)."""
    found, n = tape_groups(motion.record, "contacts", times, states), motion.v.shape[1]
    H, B = (found[name].reshape(len(times), -1, n) for name in ("jacobians", "bilateral"))
    K = np.linalg.inv(found["mass_matrix"].reshape(len(times), n, n))
    if B.shape[1]:
        Bt = B.transpose(0, 2, 1)
        K = K - K @ Bt @ np.linalg.pinv(B @ K @ Bt) @ B @ K
    return found["gaps"], H, found["drifts"], K


def _has_no_impact(system, motion) -> bool:
    """Whether the impact at the end of a run has no solution; False too if slips have a circle of directions."""
    record, (e, mu, by_impulses, in_turn) = motion.record, _laws(system)
    end = np.array([record.pieces.end])
    before = record.pieces.state(end, "left")
    gaps, H, drifts, K = (one[0] for one in _contacts(motion, end, before))
    u = (H @ before[0, -H.shape[1] :] + drifts).reshape(-1, 3)
    closed = np.flatnonzero(np.abs(gaps) < SHUT)
    hit = closed[u[closed, 0] < -APPROACHES]
    if not len(hit) or by_impulses[closed].any():
        return False
    # in sequential impacts the fastest approach is alone, and nothing comes before it
    chosen = hit[[np.argmin(u[hit, 0])]] if in_turn[closed].any() else closed
    rows = (3 * chosen[:, None] + np.arange(3)).ravel()
    return not has_impulses(H[rows] @ K @ H[rows].T, u[chosen], e[chosen], mu[chosen], if_unknown=True)


def has_impulses(W: np.ndarray, u: np.ndarray, e: np.ndarray, mu: np.ndarray, if_unknown: bool) -> bool:
    r"""Whether impulses satisfy Newton's and Coulomb's laws at contacts with speeds u (m, 3) before the impact.

    .. math:: 0 \le P_N \perp u_N^+ + e u_N^- \ge 0, \qquad |P_T| \le \mu P_N, \quad -u_T^+ \text{ along } P_T \text{ if it slips}

    Every contact is open, or closed and sticking, or closed and sliding to one of two sides: linear conditions on the impulses.
    ``if_unknown``: the answer if some contact can slip in more than one direction.
    """
    lines, scale = [], np.abs(u).max()
    for c in range(len(u)):
        mobile = W[3 * c + 1 : 3 * c + 3, :]
        sides, sizes, _ = np.linalg.svd(np.column_stack([mobile / max(np.abs(W).max(), 1e-300), u[c, 1:] / scale]))
        if sizes[1] > SIDEWAYS * sizes[0] and mu[c] > 0.0:
            return if_unknown
        lines.append(sides[:, 0])
    m = len(u)
    # unknown: a normal and a tangential impulse of every contact
    T = np.zeros((3 * m, 2 * m))
    for c, line in enumerate(lines):
        T[3 * c, 2 * c], T[3 * c + 1 : 3 * c + 3, 2 * c + 1] = 1.0, line
    A, free = T.T @ W @ T, T.T @ u.ravel()
    # impulses in units of what stops the fastest contact, speeds in units of the fastest
    unit = np.abs(np.diag(A)).max()
    A, free = A / unit, free / scale
    target = -e * np.minimum(free[::2], 0.0)
    ways = [("open", "stick", "left", "right") if mu[c] > 0.0 else ("open", "left") for c in range(m)]
    return any(_is_feasible(A, free, target, mu, way) for way in itertools.product(*ways))


def _is_feasible(A: np.ndarray, free: np.ndarray, target: np.ndarray, mu: np.ndarray, way: tuple[str, ...]) -> bool:
    """Whether impulses exist for one choice of contacts that are open, that stick, and that slide to the left or right."""
    equal, values, least, bounds = [], [], [], []
    n = len(free)
    unknown = np.eye(n)
    for c, status in enumerate(way):
        N, t = 2 * c, 2 * c + 1
        if status == "open":
            equal += [unknown[N], unknown[t]]
            values += [0.0, 0.0]
            least.append((A[N], target[c] - free[N]))
            continue
        least.append((unknown[N], 0.0))
        equal.append(A[N])
        values.append(target[c] - free[N])
        if status == "stick":
            equal.append(A[t])
            values.append(-free[t])
            least += [(mu[c] * unknown[N] - unknown[t], 0.0), (mu[c] * unknown[N] + unknown[t], 0.0)]
        else:
            side = 1.0 if status == "right" else -1.0
            equal.append(unknown[t] + side * max(mu[c], 0.0) * unknown[N])
            values.append(0.0)
            if mu[c] > 0.0:
                least.append((side * A[t], -side * free[t]))
    bounds = [(None, None)] * n
    found = linprog(np.zeros(n), A_ub=-np.array([row for row, _ in least]), b_ub=-np.array([b for _, b in least]),
                    A_eq=np.array(equal), b_eq=np.array(values), bounds=bounds, method="highs")  # fmt: skip
    return found.status == 0


def _creates_energy_without_end(system, motion) -> bool:
    """Whether impacts have created a million times the energy that the first of them exchanged, all by their laws."""
    atoms, (e, mu, by_impulses, _) = motion.record.atoms, _laws(system)
    if atoms is None or not len(atoms) or by_impulses.any():
        return False
    times, P = atoms.times, atoms.contact_impulses
    before, after = (motion.record.pieces.state(times, side) for side in ("left", "right"))
    _, H, drifts, _ = _contacts(motion, times, before)
    n, alone = H.shape[2], np.count_nonzero(P[:, ::3] > 0.0, axis=1) == 1
    alone &= np.append(np.diff(times) > 0.0, True) & np.insert(np.diff(times) > 0.0, 0, True)
    was, is_now = (np.einsum("krn,kn->kr", H, x[:, -n:]) + drifts for x in (before, after))
    work = 0.5 * (P * (was + is_now)).sum(axis=1)
    c = np.argmax(P[:, ::3], axis=1)
    k = np.arange(len(times))
    at = lambda x: x.reshape(len(times), -1, 3)[k, c]
    own, left, coming = at(P), at(is_now), at(was)
    size = np.abs(np.concatenate([left, coming], axis=1)).max(axis=1)
    kept = np.abs(left[:, 0] + e[c] * coming[:, 0]) <= LAW_KEPT * size
    rubbed = np.hypot(own[:, 1], own[:, 2])
    kept &= rubbed <= (1.0 + LAW_KEPT) * mu[c] * own[:, 0]
    kept &= (own[:, 1:] * left[:, 1:]).sum(axis=1) <= LAW_KEPT * rubbed * size
    first = np.flatnonzero(work > 0.0)
    exchanged = (
        0.5 * float((np.abs(own[first[0]]) * (np.abs(left) + np.abs(coming))[first[0]]).sum()) if len(first) else np.inf
    )
    return bool(work[kept & alone].sum() > WITHOUT_END * exchanged)
