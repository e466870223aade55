"""Plots, pages in space, pictures and films of a motion. Begin with `scene` and `views`. The lines below register the drawings of each type
of model."""

from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.lagrangian.type import LagrangianType
from vinculum.models.pair_loop.type import PairLoopType
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.motion.doors import ANIMATE, COMPARISON_PLOT, PICTURE, PLOT, VIEW
from vinculum.show.by_type import DRAWINGS, plot_motion
from vinculum.show.comparisons import plot_comparison
from vinculum.show.free_bodies.answers import FreeBodiesDrawing
from vinculum.show.lagrangian.answers import LagrangianDrawing
from vinculum.show.views import animate_motion, picture_of_motion, view_motion, view_system
from vinculum.show.written_out.answers import TreeDrawing
from vinculum.systems.system import SYSTEM_VIEW

DRAWINGS.register(
    {
        WrittenOutType: TreeDrawing(),
        PairLoopType: TreeDrawing(),
        TabledType: TreeDrawing(),
        FreeBodiesType: FreeBodiesDrawing(),
        LagrangianType: LagrangianDrawing(),
    }
)
PLOT.opens_to(plot_motion)
COMPARISON_PLOT.opens_to(plot_comparison)
VIEW.opens_to(view_motion)
PICTURE.opens_to(picture_of_motion)
ANIMATE.opens_to(animate_motion)
SYSTEM_VIEW.opens_to(view_system)

__all__ = ["plot_comparison", "plot_motion"]
