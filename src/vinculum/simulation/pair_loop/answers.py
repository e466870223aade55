"""Runs of pair loops."""

from typing import final

from vinculum.models.model import Model
from vinculum.simulation.looped import LoopedRun


@final
class PairLoopRun(LoopedRun):
    """Runs of free points."""

    def check_method(self, model: Model, name: str) -> None:
        from vinculum.integrators.pair_loop.field import check_method

        check_method(model, name)
