"""Audits of free bodies in contact."""

from typing import Any, final

from vinculum.audits.action.source import ActionSource
from vinculum.audits.by_type import AuditOfType
from vinculum.audits.certificate import Certificate
from vinculum.audits.weak_result import WeakResidual


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


def action_of_free_bodies(motion: Any) -> ActionSource:
    """The action on the path of time steps."""
    from vinculum.audits.free_bodies.action import action_of_steps

    return action_of_steps(motion)
