"""Plots, pages in space, pictures, films and reports of a motion, and what notebooks show. Begin with `scene` and `views`.

Imports `ensembles` and below. The lines below register the drawings of each type of model.
"""

from vinculum.ensembles.runs import RUNS_PLOT
from vinculum.geometry.quantum.doors import STATE_PICTURE
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.lagrangian.type import LagrangianType
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.motion.doors import ANIMATE, BALANCE_PLOT, COMPARISON_PLOT, PICTURE, PLOT, REPORT, VIEW
from vinculum.show.balances import plot_balance
from vinculum.show.blocks_in_contact.answers import BlocksInContactDrawing
from vinculum.show.by_type import DRAWINGS, plot_motion
from vinculum.show.free_bodies.answers import FreeBodiesDrawing
from vinculum.show.lagrangian.answers import LagrangianDrawing
from vinculum.show.lagrangian.report import LagrangianReport
from vinculum.show.notebook.shown import formulas_of, html_of
from vinculum.show.plots.comparisons import plot_comparison
from vinculum.show.plots.runs import plot_runs
from vinculum.show.quantum.states import picture_of_state
from vinculum.show.report.by_type import REPORTS
from vinculum.show.report.report import report_motion
from vinculum.show.views import animate_motion, picture_of_motion, view_motion, view_system
from vinculum.show.written_out.answers import TreeDrawing
from vinculum.show.written_out.report import TreeReport
from vinculum.systems.system import SYSTEM_VIEW
from vinculum.upward import FORMULA_IN_NOTEBOOK, IN_NOTEBOOK

DRAWINGS.register(
    {
        WrittenOutType: TreeDrawing(),
        TabledType: TreeDrawing(),
        BlocksInContactType: BlocksInContactDrawing(),
        FreeBodiesType: FreeBodiesDrawing(),
        LagrangianType: LagrangianDrawing(),
    }
)
REPORTS.register(
    {
        WrittenOutType: TreeReport(),
        TabledType: TreeReport(),
        BlocksInContactType: TreeReport(),
        FreeBodiesType: TreeReport(),
        LagrangianType: LagrangianReport(),
    }
)
PLOT.opens_to(plot_motion)
BALANCE_PLOT.opens_to(plot_balance)
COMPARISON_PLOT.opens_to(plot_comparison)
RUNS_PLOT.opens_to(plot_runs)
VIEW.opens_to(view_motion)
PICTURE.opens_to(picture_of_motion)
ANIMATE.opens_to(animate_motion)
SYSTEM_VIEW.opens_to(view_system)
REPORT.opens_to(report_motion)
STATE_PICTURE.opens_to(picture_of_state)
IN_NOTEBOOK.opens_to(html_of)
FORMULA_IN_NOTEBOOK.opens_to(formulas_of)

__all__ = ["plot_comparison", "plot_motion"]
