"""Audits of blocks in contact."""

from typing import Any, final

from vinculum.audits.action.source import ActionSource
from vinculum.audits.by_type import AuditOfType
from vinculum.audits.certificate import Certificate
from vinculum.audits.weak_result import WeakResidual
from vinculum.errors import MethodError


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


def action_of_blocks_in_contact(motion: Any) -> ActionSource:
    """The action on the path of time steps."""
    from vinculum.audits.blocks_in_contact.action import action_of_steps

    return action_of_steps(motion)
