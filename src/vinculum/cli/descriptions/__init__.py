"""Output of the commands for each kind of description. One file per kind; the lines below register them."""

from functools import singledispatch
from typing import Any

from vinculum.cli.descriptions.base import Asked, Described
from vinculum.cli.descriptions.bodies import DescribedBodies
from vinculum.cli.descriptions.lagrangian import DescribedLagrangian
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.by_type import ByType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.lagrangian.type import LagrangianType
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType

STORED = ByType[Described]("cli")
STORED.register(
    {
        WrittenOutType: DescribedBodies(),
        TabledType: DescribedBodies(),
        BlocksInContactType: DescribedBodies(),
        FreeBodiesType: DescribedBodies(),
        LagrangianType: DescribedLagrangian(),
    }
)


@singledispatch
def description_of(system: Any) -> Described:
    """The commands' output for a system: that of bodies, if nothing else is registered for its class."""
    return DescribedBodies()


description_of.register(LagrangianSystem, lambda system: DescribedLagrangian())

__all__ = ["STORED", "Asked", "Described", "description_of"]
