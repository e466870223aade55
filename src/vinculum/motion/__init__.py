"""The motion: states over time, impulses, views, storage. Immutable.

Begin with `motion.Motion`; `problem` is the input and output of an integrator, `pieces` its dense output. Imports
`models` and below; `doors` contains the functions of upper rooms that a motion calls. The lines below register the
implementations for each type of model (`by_type`).
"""

from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.lagrangian.type import LagrangianType
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.motion.by_type import MOTIONS
from vinculum.motion.events import Crossing
from vinculum.motion.free_bodies.answers import FreeBodiesMotion
from vinculum.motion.free_bodies.blocks_in_contact import BlocksInContactMotion
from vinculum.motion.lagrangian.answers import LagrangianMotions
from vinculum.motion.method import METHODS, Claims, Method
from vinculum.motion.motion import Motion
from vinculum.motion.pieces import Pieces
from vinculum.motion.written_out.answers import WrittenOutMotion

MOTIONS.register(
    {
        WrittenOutType: WrittenOutMotion(),
        TabledType: WrittenOutMotion(),
        BlocksInContactType: BlocksInContactMotion(),
        FreeBodiesType: FreeBodiesMotion(),
        LagrangianType: LagrangianMotions(),
    }
)

__all__ = ["METHODS", "Claims", "Crossing", "Method", "Motion", "Pieces", "model_for"]
