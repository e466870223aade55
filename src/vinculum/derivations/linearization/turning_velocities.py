"""Rotating velocities in a steady motion: bodies that spin about axes of symmetry, and bodies on circles."""

import numpy as np

from vinculum.models.model import Model
from vinculum.scalars import value
from vinculum.screws import Phi_tw
from vinculum.systems import Link
from vinculum.tolerances.functions import EQUAL_MOMENTS, STEADY
from vinculum.tolerances.rank import DEPENDENT_TURNS


def turning(model: Model, v: np.ndarray, v_dot: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The matrix Z (nv, nv), made of the turns of each link, with v̇ = Z v as nearly as they allow; the least one."""
    turns = _all_turns(model, values)
    rates = turned_rates(model, v, values)
    wanted = np.where(np.abs(v_dot) > STEADY * max(1.0, float(np.abs(v).max(initial=0.0)) ** 2), v_dot, 0.0)
    shares = np.linalg.lstsq(rates, wanted, rcond=DEPENDENT_TURNS)[0] if turns else np.zeros(0)
    return sum((x * G for x, G in zip(shares, turns, strict=True)), np.zeros((len(v), len(v))))


def turned_rates(model: Model, v: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Rates of the velocities that turning components of single links would make, as columns (nv, turns)."""
    return np.stack([np.zeros(len(v)), *(G @ v for G in _all_turns(model, values))], axis=1)[:, 1:]


def _all_turns(model: Model, values: np.ndarray) -> list[np.ndarray]:
    """The turns of every link as matrices (nv, nv) of the whole system."""
    tree = model.tree
    assert tree is not None
    known = dict(zip(model.parameter_names, values.tolist(), strict=True))
    found = []
    for link in tree.links:
        for turn in _turns_of(link, known):
            G = np.zeros((tree.nv, tree.nv))
            G[link.v, link.v] = turn
            found.append(G)
    return found


def _turns_of(link: Link, known: dict[str, float]) -> list[np.ndarray]:
    """Matrices (nv, nv) by which a link's velocities may turn in a steady motion.

    A twist in axes of the body turns where the body spins about an axis of symmetry; a velocity in axes of the parent turns where it
    goes round in a circle.
    """
    units, nv = link.joint.kind.coordinates.v_units, link.joint.nv
    if link.extra_inertia is not None:
        return []
    if "rad/s" in units and units.count("rad/s") == 3:
        inertia, center = (np.asarray(value(x, known), dtype=float) for x in (link.inertia, link.center))
        axes = _axes_of_symmetry(inertia)
        return [-Phi_tw(np.concatenate([np.cross(center, e), e]))[6 - nv :, 6 - nv :] for e in axes]
    slides = [i for i, unit in enumerate(units) if unit == "m/s"]
    found = []
    for i, j in ((a, b) for k, a in enumerate(slides) for b in slides[k + 1 :]):
        G = np.zeros((nv, nv))
        G[i, j], G[j, i] = -1.0, 1.0
        found.append(G)
    return found


def _axes_of_symmetry(inertia: np.ndarray) -> list[np.ndarray]:
    """Axes through the mass center about which the inertia can turn unchanged."""
    moments, axes = np.linalg.eigh(inertia)
    near = EQUAL_MOMENTS * max(moments.max(), np.finfo(float).tiny)
    if moments[2] - moments[0] <= near:
        return list(np.eye(3))
    if moments[1] - moments[0] <= near:
        return [axes[:, 2]]
    return [axes[:, 0]] if moments[2] - moments[1] <= near else []
