"""Momentum and angular momentum of subsystems, along directions in which only their weight acts.

The base of subsystem i acts on it through joint i alone. A twist ξ of the world that the joint allows everywhere, and
against which it has no force, meets no reaction; what is left is the weight. Telegin 2014, after (25). Several subsystems that
act on each other, by potentials or interactions, are taken together.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from vinculum.equations.energies import central_momentum, mass_center, momentum_screw
from vinculum.equations.integrals.integral import Integral, direction_name, point_name
from vinculum.equations.integrals.material import elastic_spins
from vinculum.equations.recursions.speed_sizes import at_least, momentum_sizes
from vinculum.equations.sampling.null_spaces import restrict_basis, tidy_basis
from vinculum.equations.sampling.states import Sampling
from vinculum.scalars.math import abs as absolute
from vinculum.scalars.math import cross, maximum
from vinculum.systems import Tree, subsystem
from vinculum.tolerances.rank import AXES_MEET, DEPENDENT_MOTIONS, NULL_VECTOR, PARALLEL_MOMENT_AXES

MOST_NAMES = 4
IMPULSE = r" - m\,\mathbf g\cdot\mathbf e\,t"


def momentum_integrals(
    tree: Tree, carriers: Sequence[int], twists: np.ndarray, placed, at: Sampling, acted: bool = False
) -> list[Integral]:
    """Integrals of what the joints ``carriers`` carry together, which is free of reactions and actions along ``twists`` (k, 6).

    ``acted``: whether there are actions on it at all.
    """
    if not len(twists):
        return []
    links = sorted(i for index in carriers for i in subsystem(tree, index))
    of = part_name(tree, carriers, links)
    several = len(carriers) > 1
    joint = f"joint{'s' * several} {_name_list([tree.links[i].joint.name for i in carriers])}"
    moves, turns, slides = ("move", "turn", "slide") if several else ("moves", "turns", "slides")
    coupled = "; what acts between them is in pairs" if several else "; no action works on that" if acted else ""
    screws = [momentum_screw(tree.links[i], placed[i]) for i in links]
    sizes = momentum_sizes(tree, placed, at.q, at.v)
    screw: Any = sum(screws)
    size: Any = sum(screw_size(tree, i, placed) for i in links)
    p_size, l_size = (
        at_least(np.sum(part), sum(sizes[i][k] for i in links)) for k, part in enumerate((size[:3], size[3:]))
    )
    gravity = at.of(tree.gravity)
    mass = sum(tree.links[i].mass for i in links)
    center = mass_center(tree, placed, links)
    along = _translations(twists)
    about_center = _directions_about_center(twists, along)
    if any(tree.links[i].extra_inertia is not None for i in links):
        about_center = np.zeros((0, 3))
    found = []
    for e in along:
        falls = _pulls(gravity, e)
        pull = mass * (tree.gravity @ e) if falls else 0.0
        d = direction_name(e)
        found.append(Integral(
            f"momentum along {d}{of}" + (" less its weight's impulse" if falls else ""),
            rf"\mathbf P\cdot\mathbf e{IMPULSE if falls else ''},\ \mathbf e = {_latex(e)}", "N s",
            f"{joint} {moves} freely along {d}{coupled}" + ("; only the weight acts" if falls else ", and no weight acts along it"),
            screw[:3] @ e - pull * at.t, p_size + absolute(pull * at.t)))  # fmt: skip
    spin, spin_size = _about_center(tree, links, placed, center, sizes)
    elastic = [x for i, x in elastic_spins(tree, placed, at.t).items() if i in links]
    spin_size = spin_size if not elastic else maximum(spin_size, sum(elastic, 0.0))
    for e in about_center:
        found.append(Integral(
            f"angular momentum about the mass center along {direction_name(e)}{of}",
            rf"\mathbf K_c\cdot\mathbf e,\ \mathbf e = {_latex(e)}", "N m s",
            f"{joint} {turns} freely about {direction_name(e)} and {slides} freely across it{coupled}, so no moment about the "
            "mass center acts", spin @ e, spin_size))  # fmt: skip
    for e, v, a in _rotations(twists, along, about_center, gravity):
        xi = np.concatenate([v, e])
        falls = _pulls(gravity, v)
        pull = mass * (tree.gravity @ v) if falls else 0.0
        pitch = float(v @ e)
        screwed = f", with pitch {pitch:.4g} m," if abs(pitch) > NULL_VECTOR else ""
        found.append(Integral(
            f"angular momentum about {direction_name(e)} through {point_name(a)}{screwed}{of}"
            + (" less its weight's impulse" if falls else ""),
            rf"\mathbf L_a\cdot\mathbf e,\ \mathbf e = {_latex(e)},\ a = {_latex(a)}", "N m s",
            f"{joint} {turns} freely about this axis{coupled}, and the weight has no moment about it",
            screw @ xi - pull * at.t,
            l_size + float(np.abs(v).max()) * p_size + absolute(pull * at.t)))  # fmt: skip
    return found


def center_integrals(tree: Tree, carriers: Sequence[int], twists: np.ndarray, placed, at: Sampling) -> list[Integral]:
    """The mass times the position of the mass center at t = 0, of all that the joints carry, along the translations among the twists."""
    links = sorted(i for index in carriers for i in subsystem(tree, index))
    if not len(twists) or tree.varying or any(tree.links[i].extra_inertia is not None for i in links):
        return []
    of, gravity = part_name(tree, carriers, links), at.of(tree.gravity)
    screw: Any = sum(momentum_screw(tree.links[i], placed[i]) for i in links)
    size: Any = sum(screw_size(tree, i, placed) for i in links)
    mass, center = sum(tree.links[i].mass for i in links), mass_center(tree, placed, links)
    found = []
    for e in _translations(twists):
        fallen = 0.5 * mass * (tree.gravity @ e) * at.t * at.t if _pulls(gravity, e) else 0.0
        found.append(Integral(
            f"mass center along {direction_name(e)} less its motion{of}",
            r"m\,\mathbf r_c\cdot\mathbf e - \mathbf P\cdot\mathbf e\,t"
            + (r" + \tfrac12 m\,\mathbf g\cdot\mathbf e\,t^2" if _pulls(gravity, e) else "") + rf",\ \mathbf e = {_latex(e)}",
            "kg m", "the momentum along this direction is that of the mass center",
            mass * (center @ e) - (screw[:3] @ e) * at.t + fallen,
            mass * (absolute(center) @ np.abs(e)) + np.sum(size[:3]) * absolute(at.t) + absolute(fallen)))  # fmt: skip
    return found


def screw_size(tree: Tree, i: int, placed) -> np.ndarray:
    """The sizes (6,) of the terms of a momentum screw: a spin may make up for the moment of the momentum."""
    central = absolute(central_momentum(tree.links[i], placed[i]))
    arm = absolute(placed[i].X_WL.apply(tree.links[i].center))
    across = [arm[j] * central[k] + arm[k] * central[j] for j, k in ((1, 2), (2, 0), (0, 1))]
    return np.concatenate([central[:3], np.array(across, dtype=object) + central[3:]])


def part_name(tree: Tree, carriers: Sequence[int], links: Sequence[int]) -> str:
    """Of what a momentum is, unless it is that of the whole system."""
    if len(links) == len(tree.links):
        return ""
    carries = f" and what {'they carry' if len(carriers) > 1 else 'it carries'}" if len(links) > len(carriers) else ""
    return f" of {_name_list([tree.links[i].body.name for i in carriers])}{carries}"


def _name_list(names: Sequence[str]) -> str:
    """Names in quotes; of many the first."""
    shown = [f"'{name}'" for name in (names if len(names) <= MOST_NAMES else names[: MOST_NAMES - 1])]
    shown += [f"{len(names) - len(shown)} more"] if len(names) > len(shown) else []
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _about_center(tree: Tree, links: list[int], placed, center, sizes: list[tuple]) -> tuple:
    """K_c = Σ (r_i − r_c) × p_i + J_i ω_i (3,) and the size of its terms. Telegin 2014, (12)."""
    total, size = np.zeros(3), 0.0
    for i in links:
        link, at = tree.links[i], placed[i]
        arm = at.X_WL.apply(link.center) - center
        central = central_momentum(link, at)
        p, spin = central[:3], central[3:]
        total = total + cross(arm, p) + spin
        size = size + np.sum(absolute(arm)) * at_least(np.sum(absolute(p)), sizes[i][0]) + np.sum(absolute(spin))
    return total, size


def _pulls(gravity: np.ndarray, v: np.ndarray) -> bool:
    """Whether the weight does work on the translation v."""
    return bool(np.abs(gravity @ v).max() > NULL_VECTOR * np.abs(gravity).max() * max(np.abs(v).max(), NULL_VECTOR))


def _translations(twists: np.ndarray) -> np.ndarray:
    """Unit vectors (k, 3) that span the pure translations among the twists."""
    pure = restrict_basis(twists, np.eye(6)[3:])[:, :3]
    return _unit(tidy_basis(pure)) if len(pure) else np.zeros((0, 3))


def _directions_about_center(twists: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Directions (k, 3) about which turning is free at every point: turns about them, and slides across them, are there."""
    if len(along) == 3:
        turns = twists[:, 3:]
        return _unit(tidy_basis(turns)) if np.abs(turns).max() > NULL_VECTOR else np.zeros((0, 3))
    if len(along) == 2:
        normal = np.cross(along[0], along[1])
        normal = _unit(tidy_basis(normal[None]))[0]
        moving = np.concatenate([twists, [[0.0, 0.0, 0.0, *normal]]])
        if np.linalg.matrix_rank(moving, tol=DEPENDENT_MOTIONS) == np.linalg.matrix_rank(twists, tol=DEPENDENT_MOTIONS):
            return normal[None]
    return np.zeros((0, 3))


def _rotations(twists: np.ndarray, along: np.ndarray, about_center: np.ndarray, gravity: np.ndarray) -> list[tuple]:
    """Axes (direction, velocity at the origin, point) of the turns that the weight has no moment about."""
    pull = np.abs(gravity).max()
    if pull > 0.0:
        g = gravity / pull
        zero = np.zeros((len(g), 3))
        rows = np.stack([
            np.stack([zero[:, 0], -g[:, 2], g[:, 1]], 1), np.stack([g[:, 2], zero[:, 0], -g[:, 0]], 1),
            np.stack([-g[:, 1], g[:, 0], zero[:, 0]], 1)], 1).reshape(-1, 3)  # fmt: skip
        twists = restrict_basis(twists, np.concatenate([np.zeros_like(rows), rows], axis=1))
    turning = tidy_basis(np.concatenate([twists[:, 3:], twists[:, :3]], axis=1))
    turning = turning[np.abs(turning[:, :3]).max(axis=1, initial=0.0) > NULL_VECTOR]
    if not len(turning):
        return []
    sizes = np.linalg.norm(turning[:, :3], axis=1, keepdims=True)
    e, v = turning[:, :3] / sizes, turning[:, 3:] / sizes
    if len(along):
        v = v - v @ np.linalg.pinv(along) @ along
    point = _common_point(e, v)
    axes = [(e[i], v[i], np.cross(e[i], v[i]) if point is None else point) for i in range(len(e))]
    covered = about_center.T @ about_center if len(about_center) else np.zeros((3, 3))
    return [(e, v, a) for e, v, a in axes if np.abs(covered @ e - e).max() > NULL_VECTOR]


def _common_point(e: np.ndarray, v: np.ndarray) -> np.ndarray | None:
    """The point nearest to the origin that all axes pass through."""
    A = np.concatenate([np.array([[0, d[2], -d[1]], [-d[2], 0, d[0]], [d[1], -d[0], 0]]) for d in e])
    a = np.linalg.lstsq(-A, -v.ravel(), rcond=PARALLEL_MOMENT_AXES)[0]
    return a if np.abs(A @ a - v.ravel()).max() < AXES_MEET * max(1.0, np.abs(v).max()) else None


def _unit(A: np.ndarray) -> np.ndarray:
    return A / np.linalg.norm(A, axis=1, keepdims=True)


def _latex(p: np.ndarray) -> str:
    return point_name(p).replace(", ", r",\,")
