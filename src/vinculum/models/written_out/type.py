"""`WrittenOutType`: a tree of bodies whose equations are graphs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from vinculum.errors import FileError, ModelError
from vinculum.models.conditions.closed_loops import close, loop_conditions
from vinculum.models.model import Model, ModelType
from vinculum.models.shapes.tree_shapes import TreeShapes, tree_shapes
from vinculum.models.stored.checked_layout import checked_layout
from vinculum.models.stored.tapes import check_tapes, tapes_from, tapes_to_dict
from vinculum.models.timed import holds_time
from vinculum.models.tree_layout import layout_of
from vinculum.models.written_out.fitting import check_written_out_fits
from vinculum.models.written_out.outputs import outputs_of_bodies
from vinculum.models.written_out.parameters import parameters_of, velocities_are_rates
from vinculum.models.written_out.tapes import BOUNDED, CANONICAL, TAPES, WORKING
from vinculum.systems import Tree, with_bases

OF_THE_USERS_CHARTS = ("integrals",)
"""Tapes that know no bases: a first integral about the axis of a chart would change with it."""


@final
@dataclass(frozen=True)
class WrittenOutType(ModelType):
    """Tapes are made from the tree on first use."""

    has_graphs: ClassVar[bool] = True

    @classmethod
    def describes(cls, tree: Tree) -> bool:
        return True

    @classmethod
    def model_of(cls, tree: Tree) -> Model:
        check_written_out_fits(tree)
        layout = layout_of(tree, parameters_of(tree), velocities_are_rates(tree))
        return Model(layout, cls(), {}, tree, shapes=tree_shapes(tree) if tree.contacts else None)

    @classmethod
    def is_stored_in(cls, data: Mapping[str, Any]) -> bool:
        return True

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Model:
        layout = checked_layout(data["layout"])
        shapes = TreeShapes.from_dict(data["shapes"]) if "shapes" in data else None
        model = Model(layout, cls(), tapes_from(data), shapes=shapes)
        if len(layout.shapes) != (0 if shapes is None else len(shapes.kinds)):
            raise FileError("the shapes of the stored model do not fit its layout; the folder is damaged")
        if shapes is not None and shapes.carried.shape[1] != model.nv:
            raise FileError("the shapes of the stored model do not fit its velocities; the folder is damaged")
        state, canonical = ((("q", model.nq), (name, model.nv), ("t", 1)) for name in ("v", "p"))
        inputs = {"canonical": canonical, "velocities": canonical, "hamel": (*state, ("a", model.nv))}
        inputs |= {"strikes": (*state, *_strike_inputs(model))}
        check_tapes(model, inputs, outputs_of_bodies(model))
        return model

    def to_dict(self, model: Model) -> dict[str, Any]:
        shapes = {} if model.shapes is None else {"shapes": model.shapes.to_dict()}
        return {**tapes_to_dict(model), **shapes}

    def tape_names(self, model: Model) -> list[str]:
        layout = model.layout
        missing = WORKING + (() if layout.flat else CANONICAL) + (() if layout.gaps else ("closures",))
        missing += () if layout.prescribed else ("drives",)
        struck = bool(layout.impulses)
        missing += () if model.is_bounded or struck else BOUNDED
        missing += () if model.is_bounded or struck else ("strikes",)
        missing += () if struck else ("impulses",)
        missing += () if layout.shapes else ("shapes",)
        missing += () if layout.virtual else ("virtual",)
        return [name for name in TAPES if name not in missing]

    def make_tape(self, model: Model, name: str) -> Any:
        assert model.tree is not None
        try:
            tree = model.tree if name in OF_THE_USERS_CHARTS else with_bases(model.tree)
            return TAPES[name](tree, model.parameters)
        except ZeroDivisionError as error:
            raise ModelError(
                f"system '{model.name}': some velocity moves no mass or inertia at all (a massless leaf); "
                "give the last body inertia about its joint's axis"
            ) from error

    def check_written_out(self, model: Model, what: str) -> None:
        """Its equations are."""

    def is_timed(self, model: Model) -> bool:
        driven = [] if model.tree is None else model.tree.prescribed
        if any(not (isinstance(x, float) and x == 0.0) for link in driven for x in link.joint.kind.drift):
            return True
        return holds_time(model)

    def velocities(self, model: Model) -> slice:
        return slice(model.nq, None)

    def steps_over_contacts(self, model: Model) -> bool:
        return model.is_bounded

    def bonds_with_atoms(self, model: Model) -> list[str]:
        return [*model.layout.unilaterals, *model.layout.contacts]

    def closed_states(self, model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        return close(model, states, times, values)

    def branch_at(self, model: Model, state: np.ndarray, t: float, values: np.ndarray) -> Model:
        return model

    def growth_of_round_off(self, model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        return loop_conditions(model, states, times, values)


def _strike_inputs(model: Model) -> list[tuple[str, int]]:
    """The inputs of the tape of what strikes, besides a state; impulses of contacts on every link have as many numbers as it says."""
    layout = model.layout
    given = dict(model.tapes["strikes"].inputs).get("pressed", 0) if "strikes" in model.tapes else 0
    links = len(layout.bodies)
    pressed = given if layout.shapes and given in (6 * links, 15 * links) else 0
    return [
        ("jump", model.nv),
        ("acting", len(layout.impulses)),
        ("lam", len(layout.gaps)),
        ("P", 3 * len(layout.unilaterals)),
        ("pressed", pressed),
    ]
