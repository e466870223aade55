"""Applied impulses on blocks in contact, and what blocks, conditions and touching contacts answer."""

from typing import final

import numpy as np

from vinculum.contact.sparse.arrays import Settings
from vinculum.errors import RunError
from vinculum.integrators.answered_contacts import closed_within
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.integrators.by_type import Answering
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.tabled.projection import velocities_after
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.problem import Problem
from vinculum.tolerances.event_driven import IMPACT_RESIDUAL
from vinculum.tolerances.time_stepping import FREE_BODIES_SWEEPS


@final
class AnsweringBlocks(Answering):
    """Response of blocks under their conditions, and of all contacts that are closed, at the same instant."""

    def __init__(self, problem: Problem):
        self._problem, self._met = problem, None
        self._work: BlocksWork | None = None

    def after(
        self, t: float, state: np.ndarray, given: np.ndarray, held: np.ndarray | bool
    ) -> tuple[np.ndarray, np.ndarray]:
        model, values, method = self._problem.model, self._problem.parameters, self._problem.method
        if self._work is None:
            self._work = BlocksWork(model, values)
        free = velocities_after(model, tabled_in(model), state[None], t, values, given[None])[0]
        within = closed_within(block_shapes_of(model).pull, method.step or 0.0)
        settings = Settings(IMPACT_RESIDUAL, FREE_BODIES_SWEEPS)
        found = self._work.answer(t, state, free, within, settings)
        self._met, residual = found.meetings, found.residual
        tolerance = method.tolerance or 0.0
        if not residual <= tolerance:
            raise RunError(
                f"the impulses of {len(self._met)} contacts that answer the applied impulse at t = {t:.9g} s have residual "
                f"{residual:.1e}, which is more than {tolerance:.0e}; try a larger tolerance="
            )
        return found.velocities, found.unilaterals.ravel()

    def contact_solver(self, t: float) -> None:
        return None

    def meetings(self) -> Meetings | None:
        return self._met
