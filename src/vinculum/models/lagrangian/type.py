"""`LagrangianType`: coordinates and a Lagrangian, without bodies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from vinculum.errors import MethodError
from vinculum.models.layout import LagrangianEntry
from vinculum.models.model import Model, ModelType
from vinculum.models.stored.checked_layout import checked_layout
from vinculum.models.stored.tapes import Outputs, check_tapes, tapes_from, tapes_to_dict
from vinculum.models.timed import holds_time
from vinculum.systems import Tree

TAPES = ("motion", "report", "curves", "conditions")


@final
@dataclass(frozen=True)
class LagrangianType(ModelType):
    """Its tapes are made with it, of functions that are not kept."""

    has_graphs: ClassVar[bool] = True

    @classmethod
    def describes(cls, tree: Tree) -> bool:
        return False

    @classmethod
    def model_of(cls, tree: Tree) -> Model:
        raise MethodError(f"system '{tree.name}' consists of bodies, which no Lagrangian describes")

    @classmethod
    def is_stored_in(cls, data: Mapping[str, Any]) -> bool:
        return data["layout"].get("lagrangian") is not None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Model:
        model = Model(checked_layout(data["layout"]), cls(), tapes_from(data))
        levels = tuple((f"level{k}", model.nq) for k in range(lagrangian_of(model).order + 1))
        check_tapes(model, {"curves": (*levels, ("t", 1))}, _outputs(model))
        return model

    def to_dict(self, model: Model) -> dict[str, Any]:
        return tapes_to_dict(model)

    def tape_names(self, model: Model) -> list[str]:
        return list(TAPES if is_constrained(model) else TAPES[:-1])

    def make_tape(self, model: Model, name: str) -> Any:
        raise MethodError(f"system '{model.name}' is given by a Lagrangian and has no '{name}' equations")

    def check_written_out(self, model: Model, what: str) -> None:
        """Its equations are."""

    def is_timed(self, model: Model) -> bool:
        return holds_time(model)

    def velocities(self, model: Model) -> slice:
        return slice(model.nq, 2 * model.nq)

    def steps_over_contacts(self, model: Model) -> bool:
        return False

    def bonds_with_atoms(self, model: Model) -> list[str]:
        return []

    def closed_states(self, model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        return states

    def branch_at(self, model: Model, state: np.ndarray, t: float, values: np.ndarray) -> Model:
        return model

    def growth_of_round_off(self, model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        return np.ones((len(states), 1))


def lagrangian_of(model: Model) -> LagrangianEntry:
    """What the layout of a model of this type says of its Lagrangian."""
    assert model.layout.lagrangian is not None
    return model.layout.lagrangian


def is_constrained(model: Model) -> bool:
    """Whether some constraint is to hold exactly."""
    return any(entry.multipliers != "loose" for entry in lagrangian_of(model).constrained)


def _outputs(model: Model) -> Outputs:
    report: dict[str, int | None] = dict.fromkeys(("reactions", "total", "power", "momenta", "own"))
    report |= {f"constraint {entry.name}": entry.rows for entry in lagrangian_of(model).constrained}
    return {
        "motion": {"state_dot": model.nq + model.nv},
        "report": report,
        "curves": {"L": 1, "D": model.nq, "F": None},
    }
