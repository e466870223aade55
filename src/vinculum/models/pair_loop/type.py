"""`PairLoopType`: free mass points whose pairs are evaluated in a loop."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from vinculum.errors import FileError, MethodError, ModelError
from vinculum.models.layout import Layout
from vinculum.models.looped import LoopedType
from vinculum.models.model import Model
from vinculum.models.pair_loop.observables import NAMES, PairLoopTape
from vinculum.models.pair_loop.pair_loop import PairLoop
from vinculum.models.pair_loop.trace import check_size, is_pair_loop, pair_loop_and_parameters
from vinculum.models.stored.checked_layout import checked_layout
from vinculum.models.tree_layout import layout_of
from vinculum.systems import Tree


@final
@dataclass(frozen=True, eq=False)
class PairLoopType(LoopedType):
    """``pair_loop``: the points and the tapes of their pairs, in place of graphs."""

    pair_loop: PairLoop

    @classmethod
    def describes(cls, tree: Tree) -> bool:
        return is_pair_loop(tree)

    @classmethod
    def model_of(cls, tree: Tree) -> Model:
        check_size(tree)
        if tree.impulses:
            raise ModelError(
                f"{tree.impulses[0].impulse.called}: the points of system '{tree.name}' run as a loop over pairs, without impulses; "
                "run until the impulse, and again from there with other velocities"
            )
        pair_loop, found = pair_loop_and_parameters(tree)
        return _model(layout_of(tree, found, flat=False), pair_loop, tree)

    @classmethod
    def is_stored_in(cls, data: Mapping[str, Any]) -> bool:
        return "pair_loop" in data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Model:
        layout, pair_loop = checked_layout(data["layout"]), PairLoop.from_dict(data["pair_loop"])
        given = [name for name, _ in pair_loop.numbers.parameters]
        fitting = len(layout.bodies) == pair_loop.count and given == sorted(layout.parameters)
        if not fitting or any([name for name, _ in g.tape.parameters] != given for g in pair_loop.groups):
            raise FileError("the pair loop of the stored model does not fit its layout; the folder is damaged")
        return _model(layout, pair_loop)

    def to_dict(self, model: Model) -> dict[str, Any]:
        return {"layout": model.layout.to_dict(), "pair_loop": self.pair_loop.to_dict()}

    def check_written_out(self, model: Model, what: str) -> None:
        raise MethodError(
            f"system '{model.name}': {what} are not available, as its {self.pair_loop.pairs} pairs of bodies are not written out but "
            "run as a loop in vc.simulate; use fewer bodies"
        )

    def is_timed(self, model: Model) -> bool:
        return self.pair_loop.is_timed

    def steps_over_contacts(self, model: Model) -> bool:
        return False


def pair_loop_of(model: Model) -> PairLoop:
    """The pair loop of a model of this type."""
    assert isinstance(model.type, PairLoopType)
    return model.type.pair_loop


def _model(layout: Layout, pair_loop: PairLoop, tree: Tree | None = None) -> Model:
    bodies, given = tuple(layout.bodies), tuple(sorted(layout.parameters.items()))
    tapes = {name: PairLoopTape(name, pair_loop, bodies, given) for name in NAMES}
    return Model(layout, PairLoopType(pair_loop), tapes, tree)
