"""Audits of blocks in contact."""

from typing import Any, final

import numpy as np

from vinculum.audits.action.source import ActionSource
from vinculum.audits.by_type import AuditOfType
from vinculum.audits.certificate import Certificate
from vinculum.audits.exchanges.by_type import Admitted, ExchangesOfType, Wrenches
from vinculum.audits.exchanges.stepped import admitted_by_steps, nearest_edges
from vinculum.audits.exchanges.window import Sums, Window
from vinculum.audits.weak_result import WeakResidual
from vinculum.errors import MethodError, StartError
from vinculum.motion.record import Record
from vinculum.tolerances.sizes import SHOWN_OF_REFUSED


@final
class BlocksInContactAudit(AuditOfType):
    """Momenta and impulses of single steps against the laws, gaps, and the forces of bonds."""

    def certificate(self, motion: Any) -> Certificate:
        from vinculum.audits.blocks_in_contact.lines import block_lines

        span = f"{motion.pieces.begin:g} to {motion.pieces.end:g} s, {len(motion.pieces)} steps, {motion.method}"
        return Certificate(motion.model.name, span, tuple(block_lines(motion)))

    def weak_residual(self, motion: Any, fields: int, seed: int) -> WeakResidual:
        raise MethodError(
            f"the weak form of '{motion.model.name}' is not available, as its blocks in contact run over tables; its certificate checks "
            "the momenta of single steps"
        )


@final
class BlocksInContactExchanges(ExchangesOfType):
    """Bonds, joints and recorded impulses, step by step."""

    def check(self, record: Record) -> None:
        from vinculum.audits.blocks_in_contact.exchanges import knows_steps

        if record.model.layout.unilaterals:
            named = ", ".join(f"'{name}'" for name in list(record.model.layout.unilaterals)[:SHOWN_OF_REFUSED])
            raise StartError(
                f"'{record.model.name}': what unilateral constraints ({named}) exchange with bodies is not known over tables; take their "
                "impulses with motion.bond(…).impulses, and the certificate for momenta and energy"
            )
        if not knows_steps(record):
            raise StartError(
                f"'{record.model.name}': the impulses of its contacts are not recorded step by step, so what its bodies exchange is not "
                "known; take the balance of a motion of vc.simulate"
            )

    def window_of(self, record: Record, window: Window) -> Window:
        return nearest_edges(window, np.asarray(record.pieces.times))

    def wrenches(self, record: Record, bodies: tuple[int, ...]) -> Wrenches:
        from vinculum.audits.blocks_in_contact.exchanges import mean_wrenches

        return mean_wrenches(record, bodies)

    def motion_at(self, record: Record, bodies: tuple[int, ...], t: float, side: str) -> np.ndarray:
        from vinculum.audits.tabled.exchanges import motions_of_blocks

        time = np.array([t])
        return motions_of_blocks(record, bodies, time, record.pieces.state(time, side=side))[0, :, :7].sum(axis=0)

    def sums(self, record: Record, bodies: tuple[int, ...], window: Window) -> Sums:
        from vinculum.audits.blocks_in_contact.exchanges import summed_steps

        return summed_steps(record, bodies, window)

    def errors(self, record: Record, bodies: tuple[int, ...], sums: Sums) -> Admitted:
        return admitted_by_steps(sums, bool(record.model.layout.gaps))


def action_of_blocks_in_contact(motion: Any) -> ActionSource:
    """The action on the path of time steps."""
    from vinculum.audits.blocks_in_contact.action import action_of_steps

    if motion.model.layout.unilaterals:
        named = ", ".join(f"'{name}'" for name in list(motion.model.layout.unilaterals)[:SHOWN_OF_REFUSED])
        raise MethodError(
            f"the action of '{motion.model.name}' is not available over tables with unilateral constraints ({named}); its certificate "
            "checks the momenta of single steps"
        )
    return action_of_steps(motion)
