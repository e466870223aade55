"""Many runs at once, on the cores of one machine. Begin with `cpu`. Imports `simulation` and below."""

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.ensembles.by_type import TOGETHER
from vinculum.ensembles.cpu import ensemble
from vinculum.ensembles.free_bodies.answers import FreeBodiesTogether
from vinculum.ensembles.lagrangian import prepare_lagrangian
from vinculum.ensembles.prepared import prepare_runs
from vinculum.ensembles.runs import Runs
from vinculum.models.free_bodies.type import FreeBodiesType

TOGETHER.register({FreeBodiesType: FreeBodiesTogether()})
prepare_runs.register(LagrangianSystem, prepare_lagrangian)

__all__ = ["Runs", "ensemble"]
