"""Integrators: each takes the steps of a run. Begin with `sources`, which selects one.

One folder per method; `watch` monitors the steps of all of them. Impact times are found in `moreau.impact_times` and
from the event functions of `event_driven.phase_ends`. Imports `motion` and below. The lines below register the
integrators (`table`) and the implementations for each type of model (`by_type`).
"""

from vinculum.integrators.blocks_in_contact.answers import BlocksInContactSteps
from vinculum.integrators.by_type import STEPS
from vinculum.integrators.dop853.integrator import DORMAND_PRINCE
from vinculum.integrators.fixed_step.integrator import FIXED_STEP
from vinculum.integrators.free_bodies.answers import FreeBodiesSteps
from vinculum.integrators.idas.integrator import IMPLICIT
from vinculum.integrators.lagrangian.answers import LagrangianSteps
from vinculum.integrators.moreau.integrator import TIME_STEPPING
from vinculum.integrators.table import claims_of, method_refusal, register
from vinculum.integrators.tabled.answers import TabledSteps
from vinculum.integrators.taylor.integrator import OWN_SERIES, TAYLOR_SERIES
from vinculum.integrators.written_out.answers import WrittenOutSteps
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.lagrangian.type import LagrangianType
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.motion.doors import METHOD_CLAIMS
from vinculum.upward import METHOD_REFUSAL

register(TAYLOR_SERIES, OWN_SERIES, DORMAND_PRINCE, IMPLICIT, *FIXED_STEP, TIME_STEPPING)
METHOD_CLAIMS.opens_to(claims_of)
METHOD_REFUSAL.opens_to(method_refusal)
STEPS.register(
    {
        WrittenOutType: WrittenOutSteps(),
        TabledType: TabledSteps(),
        BlocksInContactType: BlocksInContactSteps(),
        FreeBodiesType: FreeBodiesSteps(),
        LagrangianType: LagrangianSteps(),
    }
)
