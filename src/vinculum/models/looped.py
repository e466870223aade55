"""`LoopedType`: what models have in common whose equations are not graphs but run as a loop."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from vinculum.models.model import Model, ModelType


class LoopedType(ModelType):
    """Tapes are evaluated by loops over arrays and made with the model; no others can be asked for."""

    has_graphs: ClassVar[bool] = False

    def tape_names(self, model: Model) -> list[str]:
        return list(model.tapes)

    def make_tape(self, model: Model, name: str) -> Any:
        self.check_written_out(model, f"'{name}' equations")

    @abstractmethod
    def check_written_out(self, model: Model, what: str) -> None:
        """Refuse ``what``, and say why nothing is written out and what to do."""

    def velocities(self, model: Model) -> slice:
        return slice(model.nq, None)

    def bonds_with_atoms(self, model: Model) -> list[str]:
        return []

    def closed_states(self, model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        return model.on_charts(states)

    def branch_at(self, model: Model, state: np.ndarray, t: float, values: np.ndarray) -> Model:
        return model

    def growth_of_round_off(self, model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        return np.ones((len(states), 1))
