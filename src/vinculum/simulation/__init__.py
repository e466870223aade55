"""From a system and a start to a motion: everything that happens once per run. Imports `integrators` and below. Begin
with `simulate`.

The lines below register the runs of each type of model (`by_type`) and of descriptions without bodies
(`descriptions`).
"""

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.simulation.blocks_in_contact.answers import BlocksInContactRun
from vinculum.simulation.bodies import motion_of_bodies
from vinculum.simulation.by_type import RUNS
from vinculum.simulation.descriptions import motion_of
from vinculum.simulation.free_bodies.answers import FreeBodiesRun
from vinculum.simulation.lagrangian.runs import lagrangian_run, method_refusal
from vinculum.simulation.simulate import simulate
from vinculum.simulation.tabled.answers import TabledRun
from vinculum.simulation.written_out.answers import WrittenOutRun
from vinculum.systems import System
from vinculum.upward import LAGRANGIAN_METHOD_REFUSAL

RUNS.register(
    {
        WrittenOutType: WrittenOutRun(),
        TabledType: TabledRun(),
        BlocksInContactType: BlocksInContactRun(),
        FreeBodiesType: FreeBodiesRun(),
    }
)
motion_of.register(System, motion_of_bodies)
motion_of.register(LagrangianSystem, lagrangian_run)
LAGRANGIAN_METHOD_REFUSAL.opens_to(method_refusal)

__all__ = ["simulate"]
