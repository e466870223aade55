"""What a report tells about a Lagrangian system."""

from typing import ClassVar, final

import numpy as np

from vinculum.errors import VinculumError
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.show.contents import Contents
from vinculum.show.lagrangian.plot import multiplier_panels
from vinculum.show.plots.panels import Panel
from vinculum.show.report.by_type import Formulas, ReportOfType


@final
class LagrangianReport(ReportOfType):
    """Coordinates and constraints, the equations of Euler and Lagrange, energy, multipliers."""

    time: ClassVar[str] = "time"

    def contents(self, motion: LagrangianRecord) -> list[Contents]:
        held = {one.name: one for one in motion.constrained}
        return [
            Contents("coordinates", ("name",), dict.fromkeys(motion.coordinates), lambda name, _: (name,)),
            Contents(
                "constraints", ("name", "rows", "realization"), held, lambda name, x: (name, x.rows, x.realization)
            ),
        ]

    def formulas(self, motion: LagrangianRecord) -> Formulas:
        if motion.system is None:
            return Formulas(
                "This run was read from its folder, which keeps the equations as tapes and not as formulas; a report on the motion itself, "
                "or on its model file, has them."
            )
        try:
            equations = motion.system.equations()
            return Formulas(f"{equations!r}.", tuple(equations.latex().splitlines()))
        except VinculumError as error:
            return Formulas(f"The equations are not written out here: {error}")

    def energy(self, motion: LagrangianRecord) -> list[Panel]:
        if motion.order > 1 or np.array_equal(motion.energy, motion.total_energy):
            return [Panel("energy", ["E"], motion.total_energy[:, None], 1.5)]
        both = np.stack([motion.energy, motion.total_energy], axis=1)
        return [Panel("energy", ["E[L]", "E[L] + E[M]"], both, 1.5)]

    def reactions(self, motion: LagrangianRecord) -> list[Panel]:
        return multiplier_panels(motion)
