"""`BlocksInContactType`: many blocks of any kinds with shapes that meet, evaluated over tables and stepped."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.errors import FileError, MethodError
from vinculum.models.blocks_in_contact.block_shapes import BlockShapes
from vinculum.models.layout import Layout
from vinculum.models.model import Model
from vinculum.models.tabled.blocks import blocks_of
from vinculum.models.tabled.kinds import Kind
from vinculum.models.tabled.tabled import Tabled, bonds_of, tabled_of
from vinculum.models.tabled.type import (
    OverTables,
    check_tables_fit,
    checked_tables,
    fits_tables,
    tapes_over_tables,
)
from vinculum.models.tree_layout import layout_of
from vinculum.systems import Tree
from vinculum.systems.contacts import can_meet_over_tables
from vinculum.tolerances.methods import FEWEST_VELOCITIES_OVER_TABLES
from vinculum.tolerances.sizes import MOST_VELOCITIES_IN_CONTACT


@final
@dataclass(frozen=True, eq=False)
class BlocksInContactType(OverTables):
    """``tabled``: kinds of blocks and tables of bonds; ``shapes``: what meets, and by which laws."""

    tabled: Tabled
    shapes: BlockShapes

    @classmethod
    def describes(cls, tree: Tree) -> bool:
        large = tree.nv > MOST_VELOCITIES_IN_CONTACT
        return bool(tree.contacts) and can_meet_over_tables(tree) and (large or fits_tables(tree))

    @classmethod
    def model_of(cls, tree: Tree) -> Model:
        from vinculum.models.blocks_in_contact.making import block_shapes, outputs_in_contact

        check_tables_fit(tree)
        tabled = tabled_of(tree, outputs_in_contact(bool(tree.closures or tree.constraints), bool(tree.unilaterals)))
        acted = replace(tree, acting=tuple(bonds_of(tree)))
        return _model(layout_of(acted, dict(tabled.parameters), flat=False), tabled, block_shapes(tree), tree)

    @classmethod
    def is_stored_in(cls, data: Mapping[str, Any]) -> bool:
        return "block_shapes" in data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Model:
        layout, tabled = checked_tables(data)
        twisted = bool(tabled.conditions or tabled.unilaterals)
        if not all(_has_contact_tapes(kind, twisted) for kind in tabled.kinds):
            raise FileError("the tables of the stored model lack the inertia of its blocks; the folder is damaged")
        deforms = np.zeros(tabled.bodies, dtype=bool)
        for kind in tabled.kinds:
            deforms[kind.bodies] = kind.deforms
        shapes = BlockShapes.from_dict(data["block_shapes"], deforms)
        if len(layout.shapes) != len(shapes.kinds) or len(layout.contacts) != len(shapes.laws):
            raise FileError("the shapes of the stored model do not fit its layout; the folder is damaged")
        return _model(layout, tabled, shapes)

    def to_dict(self, model: Model) -> dict[str, Any]:
        return {
            "layout": model.layout.to_dict(),
            "tables": self.tabled.to_dict(),
            "block_shapes": self.shapes.to_dict(),
        }

    def check_written_out(self, model: Model, what: str) -> None:
        raise MethodError(
            f"system '{model.name}': {what} are not available, as its {self.tabled.bodies} bodies in contact are not written out but run "
            "over tables in vc.simulate; use fewer of them"
        )

    def with_tables(self, tabled: Tabled) -> "BlocksInContactType":
        return replace(self, tabled=tabled)

    def steps_over_contacts(self, model: Model) -> bool:
        return True


def steps_over_tables(tree: Tree) -> bool:
    """Whether time steps of a tree with contacts are those of tables, if these know all of it: where they take less time than with its
    whole mass matrix, and where applied impulses act, which only contacts of blocks answer at once."""
    if not tree.contacts or not can_meet_over_tables(tree) or (tree.unilaterals and not tree.impulses):
        return False
    if tree.impulses:
        return True
    sizes = [sum(tree.links[i].joint.nv for i in block) for block in blocks_of(tree)]
    return sum(sizes) - max(sizes) >= FEWEST_VELOCITIES_OVER_TABLES


def _has_contact_tapes(kind: Kind, twisted: bool) -> bool:
    """Whether blocks have what contacts need, and conditions and unilateral constraints if there are any; strains are those of blocks that
    deform."""
    if not {"screws", "strains", "mass", "damping", *(["twists"] if twisted else [])} <= kind.tapes.keys():
        return False
    nv, strains, damping = kind.v.shape[1], kind.tapes["strains"].n_out, kind.tapes["damping"].n_out
    return strains == 9 * nv * kind.deforms and damping in (0, nv * nv)


def block_shapes_of(model: Model) -> BlockShapes:
    """The shapes of a model of this type."""
    assert isinstance(model.type, BlocksInContactType)
    return model.type.shapes


def _model(layout: Layout, tabled: Tabled, shapes: BlockShapes, tree: Tree | None = None) -> Model:
    return Model(layout, BlocksInContactType(tabled, shapes), dict(tapes_over_tables(layout, tabled)), tree)
