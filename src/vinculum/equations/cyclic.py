"""Generalized momenta whose rates vanish identically: cyclic coordinates, and spins of symmetric bodies."""

import numpy as np

from vinculum.equations.applied import rates
from vinculum.equations.composite import mass_matrix
from vinculum.equations.integral import Integral
from vinculum.equations.null_spaces import TINY, null_space, tidy_basis
from vinculum.equations.sampling import Sampling
from vinculum.equations.symmetries import is_driven
from vinculum.scalars import directional
from vinculum.scalars.math import abs as absolute
from vinculum.systems import Tree


def cyclic_integrals(tree: Tree, accelerations: np.ndarray, at: Sampling) -> list[Integral]:
    r"""Combinations w of the momenta p = M v with constant rate along every motion.

    .. math:: \dot p_j = X_j(T - U) + c^k_{ij} v^i p_k + Q_j

    the Boltzmann–Hamel form, in which a coordinate that the energies do not hold is the simplest case; a momentum along
    which a damper or a drive acts is left out. ``accelerations``: those at the samples, (count, nv).
    """
    driven = np.concatenate([is_driven(link, at) for link in tree.links if link.joint.nv])
    sound = np.all(np.isfinite(accelerations), axis=1)
    free = np.flatnonzero(~driven)
    if not len(free) or sound.sum() <= tree.nv + 2:
        return []
    M = mass_matrix(tree, at.q)
    p = M @ at.v
    moved = directional(p, at.q, rates(tree, at.q, at.v))
    weights, turned = at.of(M)[sound], at.of(moved)[sound]
    pushed = np.einsum("sjk,sk->sj", weights, accelerations[sound])
    size = (np.einsum("sjk,sk->sj", np.abs(weights), np.abs(accelerations[sound])) + np.abs(turned)).max(axis=0)
    size = np.where(size > 0.0, size, 1.0)
    rate = ((pushed + turned) / size)[:, free]
    steady = null_space(np.concatenate([rate, -np.ones((len(rate), 1))], axis=1))
    found = []
    for row in tidy_basis(steady) if len(steady) else ():
        w = np.zeros(tree.nv)
        w[free] = row[:-1] / size[free]
        if not np.abs(w).max() > 0.0:
            continue
        lead = w[np.flatnonzero(np.abs(w) > TINY * np.abs(w).max())[0]]
        w, push = w / lead, row[-1] / lead
        w = np.where(np.abs(w) < 1e-11, 0.0, w)
        push = 0.0 if abs(row[-1]) < 1e-8 else float(push)
        found.append(_integral(tree, w, push, M, p, at))
    return found


def _integral(tree: Tree, w: np.ndarray, push: float, M, p, at: Sampling) -> Integral:
    names, units = tree.v_names(), [u for link in tree.links for u in link.joint.v_units]
    used = np.flatnonzero(w)
    terms = " + ".join(f"p of '{names[j]}'" if w[j] == 1.0 else f"{w[j]:.4g} p of '{names[j]}'" for j in used)
    letters = " + ".join((rf"{w[j]:.4g}\," if w[j] != 1.0 else "") + rf"p_{{\mathrm{{{names[j]}}}}}" for j in used)
    size = sum(abs(w[j]) * (absolute(M[j]) @ absolute(at.v)) for j in used) + abs(push) * absolute(at.t)
    fall = f" less {push:.6g} t" if push else ""
    cause = f"its rate is the constant {push:.6g}" if push else "its rate vanishes identically"
    return Integral(terms + fall, letters + (rf" - {push:.6g}\,t" if push else ""),
                    "N s" if units[used[0]] == "m/s" else "N m s",
                    f"{cause}: neither the energies nor a force change it", w @ p - push * at.t, size)  # fmt: skip
