"""All types of models, one line each; the first that accepts a tree or a stored form is used."""

from collections.abc import Mapping
from typing import Any

from vinculum.models.blocks_in_contact.type import BlocksInContactType, steps_over_tables
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.lagrangian.type import LagrangianType
from vinculum.models.model import Model, ModelType
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.systems import Tree

TYPES: list[type[ModelType]] = [
    FreeBodiesType,
    BlocksInContactType,
    TabledType,
    LagrangianType,
    WrittenOutType,
]


def model_of(tree: Tree) -> Model:
    """The model of a checked tree."""
    return next(one for one in TYPES if one.describes(tree)).model_of(tree)


def stepping_model_of(tree: Tree) -> Model | None:
    """The model that takes time steps over contacts of a checked tree in place of its own; None if there is none."""
    return BlocksInContactType.model_of(tree) if steps_over_tables(tree) else None


def model_from_dict(data: Mapping[str, Any]) -> Model:
    """A stored model, checked."""
    return next(one for one in TYPES if one.is_stored_in(data)).from_dict(data)
