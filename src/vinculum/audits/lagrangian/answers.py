"""Audits of motions of Lagrangian systems."""

from typing import Any, final

from vinculum.audits.action.source import ActionSource
from vinculum.audits.by_type import AuditOfType
from vinculum.audits.certificate import Certificate
from vinculum.audits.weak_result import WeakResidual
from vinculum.errors import MethodError


@final
class LagrangianAudit(AuditOfType):
    """Stationary action, energy balance, constraints and rates."""

    def certificate(self, motion: Any) -> Certificate:
        from vinculum.audits.lagrangian.certificate import lagrangian_certificate

        return lagrangian_certificate(motion)

    def weak_residual(self, motion: Any, fields: int, seed: int) -> WeakResidual:
        raise MethodError(
            f"system '{motion.model.name}': the weak form needs virtual velocities of bodies, and a Lagrangian has none; ask "
            "motion.audit(), which varies its curves"
        )


def action_of_lagrangian(motion: Any) -> ActionSource:
    """The action of a motion of a Lagrangian system."""
    from vinculum.audits.lagrangian.action import ActionOfLagrangian

    return ActionOfLagrangian(motion)
