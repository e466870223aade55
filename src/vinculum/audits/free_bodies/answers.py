"""Audits of free bodies in contact."""

from typing import Any, final

import numpy as np

from vinculum.audits.action.source import ActionSource
from vinculum.audits.by_type import AuditOfType
from vinculum.audits.certificate import Certificate
from vinculum.audits.exchanges.by_type import Admitted, ExchangesOfType, Wrenches
from vinculum.audits.exchanges.stepped import admitted_by_steps, nearest_edges
from vinculum.audits.exchanges.window import Sums, Window
from vinculum.audits.weak_result import WeakResidual
from vinculum.errors import StartError
from vinculum.motion.record import Record


@final
class FreeBodiesAudit(AuditOfType):
    """Impulses against their laws, gaps, energies, and the weak form."""

    def certificate(self, motion: Any) -> Certificate:
        from vinculum.audits.free_bodies.lines import free_bodies_lines

        span = f"{motion.pieces.begin:g} to {motion.pieces.end:g} s, {len(motion.pieces)} steps, {motion.method}"
        return Certificate(motion.model.name, span, tuple(free_bodies_lines(motion)))

    def weak_residual(self, motion: Any, fields: int, seed: int) -> WeakResidual:
        from vinculum.audits.free_bodies.weak import free_bodies_weak_residual

        return free_bodies_weak_residual(motion, fields, seed)


@final
class FreeBodiesExchanges(ExchangesOfType):
    """Weights and recorded impulses, step by step."""

    def check(self, record: Record) -> None:
        from vinculum.audits.free_bodies.exchanges import knows_steps

        if not knows_steps(record):
            raise StartError(
                f"'{record.model.name}': the impulses of its contacts are not recorded step by step, so what its bodies exchange is not "
                "known; take the balance of a motion of vc.simulate"
            )

    def window_of(self, record: Record, window: Window) -> Window:
        return nearest_edges(window, np.asarray(record.pieces.times)[::2])

    def wrenches(self, record: Record, bodies: tuple[int, ...]) -> Wrenches:
        from vinculum.audits.free_bodies.exchanges import mean_wrenches

        return mean_wrenches(record, bodies)

    def motion_at(self, record: Record, bodies: tuple[int, ...], t: float, side: str) -> np.ndarray:
        from vinculum.audits.free_bodies.exchanges import moving_bodies
        from vinculum.models.free_bodies.type import free_bodies_of

        found = moving_bodies(record, np.array(bodies), record.pieces.state(np.array([t]), side=side)[0])
        return found.motions(free_bodies_of(record.model).masses[list(bodies)])[:, :7].sum(axis=0)

    def sums(self, record: Record, bodies: tuple[int, ...], window: Window) -> Sums:
        from vinculum.audits.free_bodies.exchanges import summed_steps

        return summed_steps(record, bodies, window)

    def errors(self, record: Record, bodies: tuple[int, ...], sums: Sums) -> Admitted:
        return admitted_by_steps(sums)


def action_of_free_bodies(motion: Any) -> ActionSource:
    """The action on the path of time steps."""
    from vinculum.audits.free_bodies.action import action_of_steps

    return action_of_steps(motion)
