"""`TabledType`: many blocks and bonds that are alike, evaluated over tables."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.mechanics import WITH_ROTATION, WITHOUT_ROTATION
from vinculum.bonds import Action, PairAction, PairsWithin, end_name
from vinculum.bonds.alike import ByStructure
from vinculum.compile.memory import check_room
from vinculum.errors import FileError, MethodError
from vinculum.models.checked_layout import checked_layout
from vinculum.models.layout import Layout
from vinculum.models.looped import LoopedType
from vinculum.models.model import Model
from vinculum.models.tabled.observables import NAMES, TabledTape
from vinculum.models.tabled.tabled import Tabled, bonds_of, tabled_of
from vinculum.models.tree_layout import layout_of
from vinculum.scalars import value
from vinculum.systems import Acting, ActingRows, Tree, free_views, turning_links
from vinculum.tolerances.sizes import BYTES_OF_A_TABLED_ROW, FEWEST_TABLED, ROWS_WITHIN


@final
@dataclass(frozen=True, eq=False)
class TabledType(LoopedType):
    """``tabled``: kinds of blocks and tables of bonds, in place of graphs."""

    tabled: Tabled

    @classmethod
    def describes(cls, tree: Tree) -> bool:
        """Whether a tree has so many blocks and actions that they are better not written out, and nothing else."""
        others = tree.closures, tree.constraints, tree.unilaterals, tree.contacts, tree.impulses
        plain = _are_plain(tree)
        if any(others) or tree.contact is not None or turning_links(tree) or not plain:
            return False
        return _count_blocks(tree) + _count_rows(tree) >= FEWEST_TABLED and not _has_limits(tree)

    @classmethod
    def model_of(cls, tree: Tree) -> Model:
        blocks, rows = _count_blocks(tree), _count_rows(tree)
        what = f"system '{tree.name}': the tables of {blocks} blocks and {rows} rows of bonds"
        check_room(what, (blocks + rows) * BYTES_OF_A_TABLED_ROW, remedy="use fewer bodies or bonds")
        tabled = tabled_of(tree)
        acted = replace(tree, acting=tuple(bonds_of(tree)))
        return _model(layout_of(acted, dict(tabled.parameters), flat=False), tabled, tree)

    @classmethod
    def is_stored_in(cls, data: Mapping[str, Any]) -> bool:
        return "tables" in data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Model:
        layout, tabled = checked_layout(data["layout"]), Tabled.from_dict(data["tables"])
        named = set(layout.actions) == {name for bond in tabled.bonds for name in bond.names}
        sizes = (len(layout.bodies), len(layout.q_names), len(layout.v_names)) == (tabled.bodies, tabled.nq, tabled.nv)
        if not (
            named
            and sizes
            and len(layout.joints) == tabled.bodies
            and sorted(layout.parameters) == [n for n, _ in tabled.parameters]
        ):
            raise FileError("the tables of the stored model do not fit its layout; the folder is damaged")
        return _model(layout, tabled)

    def to_dict(self, model: Model) -> dict[str, Any]:
        return {"layout": model.layout.to_dict(), "tables": self.tabled.to_dict()}

    def check_written_out(self, model: Model, what: str) -> None:
        raise MethodError(
            f"system '{model.name}': {what} are not available, as its {self.tabled.bodies} bodies and {len(model.layout.actions)} actions "
            "are not written out but run over tables in vc.simulate; use fewer of them"
        )

    def is_timed(self, model: Model) -> bool:
        return self.tabled.is_timed

    def steps_over_contacts(self, model: Model) -> bool:
        return False


def _are_plain(tree: Tree) -> bool:
    """Whether bodies have nothing besides mass and inertia, or deform alone: with energies that end a run where they end, without bonds."""
    deforming = {link.index for link in tree.links if link.body.mechanics.kinematics.deforms}
    for link in tree.links:
        if link.index in deforming and not _is_barred(link.body):
            return False
        if link.index not in deforming and link.body.mechanics not in (WITHOUT_ROTATION, WITH_ROTATION):
            return False
    return not any(deforming.intersection(np.ravel(one.links).tolist()) for one in bonds_of(tree))


def _is_barred(body: Body) -> bool:
    """Whether the energy of a body's deformation is not defined beyond det φ = 0, so that no motion passes unnoticed there."""
    kinematics, energy = body.mechanics.kinematics, body.mechanics.energy
    if kinematics.material_dimension < 3 and not kinematics.is_planar:
        return True
    turned = np.diag([-1.0, 1.0, 1.0]).astype(object)
    with np.errstate(all="ignore"):
        return energy is not None and not np.isfinite(np.asarray(value(energy(turned)), dtype=float))


def _count_blocks(tree: Tree) -> int:
    return sum(link.parent < 0 for link in tree.links)


def _count_rows(tree: Tree) -> int:
    return sum(_rows_of(acting) for acting in tree.acting)


def _rows_of(acting: Acting | ActingRows) -> int:
    """Rows of an action: the pairs of a pair action, one for others."""
    if isinstance(acting, ActingRows):
        return len(acting.bonds)
    if isinstance(acting.action, PairsWithin):
        return min(len(acting.links) * (len(acting.links) - 1) // 2, ROWS_WITHIN * len(acting.links))
    return len(acting.links) * (len(acting.links) - 1) // 2 if isinstance(acting.action, PairAction) else 1


def _has_limits(tree: Tree) -> bool:
    """Whether a motion must stop where the law of some action ends, which is watched in equations that are written out."""
    bodies, found = {link.body.name: link.body for link in tree.links}, ByStructure[bool]()
    actions = (acting.action for one in bonds_of(tree) for acting in one.samples)
    return any(found.of(action, bodies, _ends_somewhere) for action in actions)


def _ends_somewhere(action: Action, bodies: Mapping[str, Body]) -> bool:
    views = free_views([bodies.get(end_name(end)) for end in action.ends]).still
    return any(not limit.passable for limit in action.law.limits(views))


def tabled_in(model: Model) -> Tabled:
    """The tables of a model of this type."""
    assert isinstance(model.type, TabledType)
    return model.type.tabled


def _model(layout: Layout, tabled: Tabled, tree: Tree | None = None) -> Model:
    bodies = tuple(sorted(layout.bodies, key=lambda name: layout.bodies[name].index))
    joints = tuple(sorted(layout.joints, key=lambda name: layout.joints[name].index))
    tapes = {name: TabledTape(name, tabled, bodies, joints) for name in NAMES}
    return Model(layout, TabledType(tabled), tapes, tree)
