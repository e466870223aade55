"""Generalized momenta whose rates vanish identically: cyclic coordinates, and spins of symmetric bodies."""

import numpy as np

from vinculum.bonds.joints.joint import compliance_of
from vinculum.equations.applied import action_forces
from vinculum.equations.forms.hamilton import momentum_drift
from vinculum.equations.integrals.free_twists import is_driven
from vinculum.equations.integrals.integral import Integral
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import rates, with_mass_rates
from vinculum.equations.sampling.null_spaces import null_space, tidy_basis
from vinculum.equations.sampling.opaque import OPAQUE
from vinculum.equations.sampling.states import Sampling
from vinculum.scalars import directional
from vinculum.scalars.math import abs as absolute
from vinculum.systems import Tree, subsystem, world_poses
from vinculum.systems.state_names import v_names
from vinculum.tolerances.rank import CLEAN, NULL_VECTOR


def cyclic_integrals(tree: Tree, accelerations: np.ndarray, allowed: list[np.ndarray], at: Sampling) -> list[Integral]:
    r"""Combinations w of the momenta p = M v with constant rate along every motion.

    .. math:: \dot p_j = X_j(T) + c^k_{ij} v^i p_k - X_j(U) + Q_j

    the Boltzmann–Hamel form, in which a coordinate that the energies do not hold is the simplest case. The inertial terms
    must vanish and those of the weight be constant, each measured against its own size; momenta along which a spring, a
    damper or a drive acts are left out. ``accelerations``: those at the samples, (count, nv); ``allowed``: the joints'
    twists in the world, (count, 6, nv) each.
    """
    moving = [link for link in tree.links if link.joint.nv]
    spring = at.of(np.concatenate([compliance_of(link.joint).spring_force(at.q[link.q]) for link in moving]))
    forced = np.concatenate([is_driven(link, at) for link in moving]) | np.any(spring != 0.0, axis=0)
    sound = np.all(np.isfinite(accelerations), axis=1)
    free = np.flatnonzero(~forced)
    if not len(free) or sound.sum() <= tree.nv + 2:
        return []
    M = mass_matrix(tree, at.q)
    drift = momentum_drift(tree, at.q)
    p = M @ at.v + drift
    q_dot = with_mass_rates(tree, rates(tree, at.q, at.v), at.q, at.v)
    along = directional(p, [*at.q, at.t], [*q_dot, 1.0])
    both = at.of([*M.ravel(), *along])[sound]
    weights, turned = both[:, : M.size].reshape(-1, *M.shape), both[:, M.size :]
    pushed = np.einsum("sjk,sk->sj", weights, accelerations[sound])
    sizes = np.einsum("sjk,sk->sj", np.abs(weights), np.abs(accelerations[sound])) + np.abs(turned)
    size = np.where(np.median(sizes, axis=0) > 0.0, np.median(sizes, axis=0), sizes.max(axis=0))
    size = np.where(size > 0.0, size, 1.0)
    pull, lever = (part[sound] for part in weight_forces(tree, allowed, at))
    inertial = _of_order_one(((pushed + turned - pull) / size)[:, free])
    gain = 1.0 / max(float((lever.max(axis=0) / size).max()), np.finfo(float).tiny)
    heavy = (pull / size)[:, free] * gain if lever.max() > 0.0 else np.zeros_like(inertial)
    acted = at.of(action_forces(tree, at.t, at.q, at.v) / size, OPAQUE)[:, free]
    acted = np.where(np.isfinite(acted), acted, 1.0)
    acted = _of_order_one(acted / max(float(np.median(np.abs(acted).max(axis=1, initial=0.0))), np.finfo(float).tiny))
    steady = null_space(np.block([[inertial, np.zeros((len(inertial), 1))], [heavy, -np.ones((len(heavy), 1))],
                                  [acted, np.zeros((len(acted), 1))]]))  # fmt: skip
    found = []
    for row in tidy_basis(steady) if len(steady) else ():
        w = np.zeros(tree.nv)
        w[free] = row[:-1] / size[free]
        if not np.abs(row[:-1]).max() > NULL_VECTOR:
            continue
        lead = w[np.flatnonzero(np.abs(w) > NULL_VECTOR * np.abs(w).max())[0]]
        push = 0.0 if abs(row[-1]) < NULL_VECTOR else float(row[-1] / gain / lead)
        w = w / lead
        found.append(_integral(tree, np.where(np.abs(w) < CLEAN, 0.0, w), push, M, p, drift, at))
    return found


def weight_forces(tree: Tree, allowed: list[np.ndarray], at: Sampling) -> tuple[np.ndarray, np.ndarray]:
    """Generalized forces of the weight at the samples, and what they would be with their whole lever, (count, nv) each."""
    g = at.of(tree.gravity)
    masses = at.of([link.mass for link in tree.links])
    centers = at.of([X.apply(link.center) for link, X in zip(tree.links, world_poses(tree, at.q), strict=True)])
    pulls, levers = [], []
    for link in tree.links:
        carried = subsystem(tree, link.index)
        m = masses[:, carried].sum(axis=1)[:, None]
        moment = np.einsum("sb,sbi->si", masses[:, carried], centers[:, carried])
        pulls.append(np.einsum("sij,si->sj", allowed[link.index], np.concatenate([m * g, np.cross(moment, g)], axis=1)))
        slides, turns = (np.abs(allowed[link.index][:, part]).sum(axis=1) for part in (slice(0, 3), slice(3, 6)))
        arm = np.abs(moment).sum(axis=1, keepdims=True)
        levers.append((slides * m + turns * arm) * np.abs(g).sum(axis=1, keepdims=True))
    return np.concatenate(pulls, axis=1), np.concatenate(levers, axis=1)


def _of_order_one(A: np.ndarray) -> np.ndarray:
    """Rows scaled down where they are large: forces of bodies that happen to be near each other dwarf all others."""
    return A / np.maximum(np.abs(A).max(axis=1, initial=0.0, keepdims=True), 1.0)


def _integral(tree: Tree, w: np.ndarray, push: float, M, p, drift, at: Sampling) -> Integral:
    names, units = v_names(tree), [u for link in tree.links for u in link.joint.kind.coordinates.v_units]
    used = np.flatnonzero(w)
    terms = _sum(w[used], [f"p of '{names[j]}'" for j in used], " ")
    letters = _sum(w[used], [rf"p_{{\mathrm{{{names[j]}}}}}" for j in used], r"\,")
    size = sum(abs(w[j]) * (absolute(M[j]) @ absolute(at.v) + absolute(drift[j])) for j in used) + abs(push) * absolute(
        at.t
    )
    fall = f" less {push:.6g} t" if push else ""
    cause = f"its rate is the constant {push:.6g}" if push else "its rate vanishes identically"
    return Integral(terms + fall, letters + (rf" - {push:.6g}\,t" if push else ""),
                    "N s" if units[used[0]] == "m/s" else "N m s",
                    f"{cause}: neither the energies nor a force change it", w @ p - push * at.t, size)  # fmt: skip


def _sum(weights, letters: list[str], between: str) -> str:
    """Letters with their weights, as one writes a sum; the first weight is one."""
    text = letters[0]
    for w, letter in zip(weights[1:], letters[1:], strict=True):
        factor = "" if abs(w) == 1.0 else f"{abs(w):.4g}{between}"
        text += f" {'-' if w < 0 else '+'} {factor}{letter}"
    return text
