"""Plots and pictures of a motion. The lines below register the drawings of each type of model."""

from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.lagrangian.type import LagrangianType
from vinculum.models.pair_loop.type import PairLoopType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.motion.doors import COMPARISON_PLOT, PLOT
from vinculum.show.by_type import DRAWINGS, plot_motion
from vinculum.show.comparisons import plot_comparison
from vinculum.show.free_bodies.answers import FreeBodiesDrawing
from vinculum.show.lagrangian.answers import LagrangianDrawing
from vinculum.show.written_out.answers import TreeDrawing

DRAWINGS.register(
    {
        WrittenOutType: TreeDrawing(),
        PairLoopType: TreeDrawing(),
        FreeBodiesType: FreeBodiesDrawing(),
        LagrangianType: LagrangianDrawing(),
    }
)
PLOT.opens_to(plot_motion)
COMPARISON_PLOT.opens_to(plot_comparison)

__all__ = ["plot_comparison", "plot_motion"]
