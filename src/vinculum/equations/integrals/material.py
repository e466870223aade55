"""Candidates for conserved quantities of the inner velocities of bodies."""

from collections.abc import Sequence

from vinculum.equations.integrals.integral import Integral
from vinculum.systems import Placement, Tree


def material_integrals(tree: Tree, placed: Sequence[Placement]) -> list[Integral]:
    """What bodies that deform conserve if turning their material changes neither inertia nor energy: their vorticities."""
    found = []
    for link in tree.links:
        inner = placed[link.index].inner
        if inner is None or link.inner is None:
            continue
        for axis, (value, size) in link.inner.vorticities(*inner).items():
            name = f"vorticity about material axis {axis} of '{link.body.name}'"
            latex = r"(\varphi^T\dot\varphi J - J\dot\varphi^T\varphi)_{" + axis + "}"
            reason = "turning the material about this axis changes neither its second moment nor an energy"
            found.append(Integral(name, latex, "N m s", reason, value, size))
    return found
