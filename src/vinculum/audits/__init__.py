"""Laws measured on a motion. Begin with `audit`; `certificate` is the result. Imports `geometry` and below.

A certificate line gets its tolerance in `balances` (energy, momentum) or where its file makes a `Line`; constants are
in `vinculum.tolerances.certificates`. The lines below register the audits of each type of model and the functions that
a motion calls.
"""

from vinculum.audits.action.by_type import ACTIONS
from vinculum.audits.audit import audit
from vinculum.audits.blocks_in_contact.answers import (
    BlocksInContactAudit,
    BlocksInContactExchanges,
    action_of_blocks_in_contact,
)
from vinculum.audits.by_type import AUDITS, BALANCES
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.exchanges.balance import balance_of_bodies
from vinculum.audits.exchanges.by_type import EXCHANGES
from vinculum.audits.exchanges.environment import environment_of
from vinculum.audits.exchanges.smooth import SmoothExchanges
from vinculum.audits.free_bodies.answers import FreeBodiesAudit, FreeBodiesExchanges, action_of_free_bodies
from vinculum.audits.impacts.given_impulses import impulse_at
from vinculum.audits.impacts.joint_impulses import impulses_in_joints
from vinculum.audits.lagrangian.answers import LagrangianAudit, action_of_lagrangian
from vinculum.audits.tabled.answers import TabledAudit, TabledBalances, TabledSamples, action_of_blocks
from vinculum.audits.weak.residual import weak_residual
from vinculum.audits.weak_result import WeakResidual
from vinculum.audits.written_out.answers import WrittenOutAudit, WrittenOutBalances, WrittenOutSamples, action_of_bodies
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.lagrangian.type import LagrangianType
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.motion.doors import AUDIT, BALANCE, ENVIRONMENT, GIVEN_IMPULSE, JOINT_IMPULSES

AUDITS.register(
    {
        WrittenOutType: WrittenOutAudit(),
        TabledType: TabledAudit(),
        BlocksInContactType: BlocksInContactAudit(),
        FreeBodiesType: FreeBodiesAudit(),
        LagrangianType: LagrangianAudit(),
    }
)
BALANCES.register(
    {
        WrittenOutType: WrittenOutBalances(),
        TabledType: TabledBalances(),
        BlocksInContactType: TabledBalances(),
    }
)
EXCHANGES.register(
    {
        WrittenOutType: SmoothExchanges(WrittenOutSamples()),
        TabledType: SmoothExchanges(TabledSamples()),
        BlocksInContactType: BlocksInContactExchanges(),
        FreeBodiesType: FreeBodiesExchanges(),
    }
)
ACTIONS.register(
    {
        WrittenOutType: action_of_bodies,
        TabledType: action_of_blocks,
        BlocksInContactType: action_of_blocks_in_contact,
        FreeBodiesType: action_of_free_bodies,
        LagrangianType: action_of_lagrangian,
    }
)
AUDIT.opens_to(audit)
BALANCE.opens_to(balance_of_bodies)
ENVIRONMENT.opens_to(environment_of)
GIVEN_IMPULSE.opens_to(impulse_at)
JOINT_IMPULSES.opens_to(impulses_in_joints)

__all__ = ["Certificate", "Line", "WeakResidual", "audit", "weak_residual"]
