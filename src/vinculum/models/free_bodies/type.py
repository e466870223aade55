"""`FreeBodiesType`: free bodies in contact, stepped in a compiled loop."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.observables import NAMES, FreeBodiesTape
from vinculum.errors import FileError, MethodError
from vinculum.models.layout import Layout
from vinculum.models.looped import LoopedType
from vinculum.models.model import Model
from vinculum.models.stored.checked_layout import checked_layout
from vinculum.models.tree_layout import layout_of
from vinculum.systems import Tree


@final
@dataclass(frozen=True, eq=False)
class FreeBodiesType(LoopedType):
    """``free_bodies``: masses, shapes and laws as arrays, in place of graphs."""

    free_bodies: FreeBodies

    @classmethod
    def describes(cls, tree: Tree) -> bool:
        return tree.contact is not None

    @classmethod
    def model_of(cls, tree: Tree) -> Model:
        from vinculum.models.free_bodies.making import free_bodies_in

        return _model(layout_of(tree, {}, flat=False), free_bodies_in(tree), tree)

    @classmethod
    def is_stored_in(cls, data: Mapping[str, Any]) -> bool:
        return "free_bodies" in data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Model:
        layout, free_bodies = checked_layout(data["layout"]), FreeBodies.from_dict(data["free_bodies"])
        if len(layout.bodies) != free_bodies.count or len(layout.q_names) != 7 * free_bodies.count:
            raise FileError("the free bodies of the stored model do not fit its layout; the folder is damaged")
        return _model(layout, free_bodies)

    def to_dict(self, model: Model) -> dict[str, Any]:
        return {"layout": model.layout.to_dict(), "free_bodies": self.free_bodies.to_dict()}

    def check_written_out(self, model: Model, what: str) -> None:
        raise MethodError(
            f"system '{model.name}': {what} are not available, as its {self.free_bodies.count} bodies that meet are not written out "
            "but run as a loop in vc.simulate; leave the contact out, or use vc.Unilateral"
        )

    def is_timed(self, model: Model) -> bool:
        return False

    def steps_over_contacts(self, model: Model) -> bool:
        return True


def free_bodies_of(model: Model) -> FreeBodies:
    """The bodies of a model of this type."""
    assert isinstance(model.type, FreeBodiesType)
    return model.type.free_bodies


def body_and_wall_names(model: Model) -> list[str]:
    """Names of the bodies, and of the walls after them."""
    walls = len(free_bodies_of(model).places)
    return [*model.layout.bodies, *(f"wall {k + 1}" for k in range(walls))]


def _model(layout: Layout, free_bodies: FreeBodies, tree: Tree | None = None) -> Model:
    bodies = tuple(layout.bodies)
    tapes = {name: FreeBodiesTape(name, free_bodies, bodies) for name in NAMES}
    return Model(layout, FreeBodiesType(free_bodies), tapes, tree)
