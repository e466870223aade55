"""Candidates for conserved quantities of the inner velocities of bodies."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from vinculum.equations.actions import exerted_efforts
from vinculum.equations.integrals.integral import Integral
from vinculum.scalars.math import maximum, sqrt
from vinculum.systems import Placement, Tree


def elastic_spins(tree: Tree, placed: Sequence[Placement], t) -> dict[int, Any]:
    """For every link whose body deforms the spin [N m s] that its energies give it at strains of order one, √(stiffness × inertia): the
    round-off of its forces is measured against that where it has no stress."""
    found: dict[int, Any] = {}
    for acting in tree.actions:
        known = [(i, tree.links[i].inner) for i in acting.links if i >= 0]
        deforming = {i: inner.inertia for i, inner in known if inner is not None}
        if deforming:
            stiffness = exerted_efforts(tree, acting, placed, t).moment_size
            for i, inertia in deforming.items():
                found[i] = found.get(i, 0.0) + sqrt(stiffness * np.trace(inertia))
    return found


def material_integrals(tree: Tree, placed: Sequence[Placement], t) -> list[Integral]:
    """What bodies that deform conserve if turning their material changes neither inertia nor energy: their vorticities."""
    found, elastic = [], elastic_spins(tree, placed, t)
    for link in tree.links:
        inner = placed[link.index].inner
        if inner is None or link.inner is None:
            continue
        for axis, (value, size) in link.inner.vorticities(*inner).items():
            name = f"vorticity about material axis {axis} of '{link.body.name}'"
            latex = r"(\varphi^T\dot\varphi J - J\dot\varphi^T\varphi)_{" + axis + "}"
            reason = "turning the material about this axis changes neither its second moment nor an energy"
            found.append(Integral(name, latex, "N m s", reason, value, maximum(size, elastic.get(link.index, 0.0))))
    return found
