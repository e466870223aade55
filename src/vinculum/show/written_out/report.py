"""What a report tells about bodies."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, final

import numpy as np

from vinculum.derivations.derive import derive
from vinculum.errors import VinculumError
from vinculum.models.model import Model
from vinculum.models.types import model_of
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_groups
from vinculum.motion.views.bond import BondMotion
from vinculum.show.contents import Contents, layout_contents
from vinculum.show.plots.panels import MOST_CURVES, Panel
from vinculum.show.report.by_type import Formulas, ReportOfType
from vinculum.tolerances.round_off import NO_EFFORT
from vinculum.tolerances.sizes import BODIES_PICTURED, FREEDOMS_TYPESET


@final
class TreeReport(ReportOfType):
    """Joints and bonds, Lagrange's equations, kinetic and potential energy, reactions."""

    time: ClassVar[str] = "time [s]"

    def contents(self, motion: Record) -> list[Contents]:
        known = motion.at(motion.pieces.begin)._bodies
        return layout_contents(
            motion.model.layout, {name: float(known[f"{name}/mass"][0, 0]) for name in motion.model.layout.bodies}
        )

    def formulas(self, motion: Record) -> Formulas:
        model = motion.model
        if model.tree is None:
            return Formulas(
                "This run was read from its folder, which keeps the equations as tapes and not as formulas; motion.replace(system=system) "
                "has them, or 'vinculum report' with --model."
            )
        if model.nv > FREEDOMS_TYPESET:
            return Formulas(
                f"The equations of {model.nv} velocities are too long to be typeset; vc.derive(system).lines() has them."
            )
        tree = replace(model.tree, unilaterals=(), contact=None, contacts=(), impulses=())
        free = model_of(tree) if _meets(model) else model
        try:
            equations = derive(free, "lagrange" if model.layout.flat else "newton-euler")
            lines = tuple(equations.lines())
        except VinculumError as error:
            return Formulas(f"The equations are not written out here: {error}")
        between = ", as they hold between impacts and while nothing is in contact" if free is not model else ""
        return Formulas(f"{equations!r}{between}.", lines)

    def energy(self, motion: Record) -> list[Panel]:
        groups = tape_groups(motion, "balance", motion.time, states_at(motion, motion.time))
        kinetic = groups["kinetic"][:, 0]
        potential = groups["potential"][:, 0] if "potential" in groups else np.zeros_like(kinetic)
        values = np.stack([kinetic, potential, kinetic + potential], axis=1)
        return [Panel("energy [J]", ["kinetic", "potential", "total"], values, 1.5)]

    def reactions(self, motion: Record) -> list[Panel]:
        if len(motion.model.layout.bodies) > BODIES_PICTURED:
            return []
        return [
            *_panels("reactions", _joint_efforts(motion) | _bond_efforts(motion, motion.model.layout.constraints)),
            *_panels("forces", _bond_efforts(motion, motion.model.layout.actions)),
            *_panels("contact", _bond_efforts(motion, motion.model.layout.unilaterals)),
        ]


def _meets(model: Model) -> bool:
    return bool(model.layout.contacts or model.layout.impulses or model.layout.unilaterals)


def _joint_efforts(motion: Record) -> dict[str, np.ndarray]:
    """Wrenches (T, 6) of joints at the child's joint origin, and of those that close loops at the child's own."""
    layout = motion.model.layout
    try:
        known = tape_groups(motion, "reactions", motion.time, states_at(motion, motion.time))
    except VinculumError:
        known = {}
    return {name: known[name] for name in layout.joints if name in known} | _bond_efforts(motion, layout.closing)


def _bond_efforts(motion: Record, bonds: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Wrenches (T, 6) of bonds on the first of their bodies; those that have none are left out."""
    found = {}
    for name in bonds:
        try:
            view = BondMotion(motion, name)
            found[name] = np.concatenate([view.force, view.moment], axis=1)
        except (VinculumError, KeyError):
            continue
    return found


def _panels(what: str, efforts: Mapping[str, np.ndarray]) -> list[Panel]:
    """Sizes of forces and of moments over time; what is nothing beside the others is left out, and of many the largest are shown."""
    panels = []
    for label, unit, places in (("force", "N", slice(0, 3)), ("moment", "N m", slice(3, 6))):
        sizes = {name: np.linalg.norm(effort[:, places], axis=1) for name, effort in efforts.items()}
        largest = {name: float(np.nanmax(size, initial=0.0)) for name, size in sizes.items()}
        top = max((np.nanmax(np.abs(effort), initial=0.0) for effort in efforts.values()), default=0.0)
        kept = sorted((name for name in sizes if largest[name] > NO_EFFORT * top), key=lambda name: -largest[name])
        shown = [name for name in sizes if name in kept[:MOST_CURVES]]
        if shown:
            more = f"\n{len(shown)} of {len(kept)}" if len(kept) > len(shown) else ""
            values = np.stack([sizes[name] for name in shown], axis=1)
            panels.append(Panel(f"{what}:\n|{label}| [{unit}]{more}", shown, values))
    return panels
