"""Audits of free bodies in contact."""

from typing import Any, final

from vinculum.audits.action.source import ActionSource
from vinculum.audits.by_type import AuditOfType
from vinculum.audits.certificate import Certificate
from vinculum.audits.weak_result import WeakResidual
from vinculum.errors import MethodError


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


def refuse_action_of_free_bodies(motion: Any) -> ActionSource:
    """Free bodies in contact have no path between the ends of their steps that a carrier could move."""
    raise MethodError(
        f"system '{motion.model.name}': rates of the action are not available, as its free bodies in contact move by time steps, of which "
        "only the ends are known, and a carrier moves the whole path; use vc.measures.weak_residual(motion), which tests the same laws "
        "step by step, and motion.audit()"
    )
