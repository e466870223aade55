"""Plots that every motion of bodies has besides that over time."""

from collections.abc import Mapping

from vinculum.show.plots.contact_states import plot_contact_states
from vinculum.show.plots.energies import plot_energies
from vinculum.show.plots.kinds import PlotKind
from vinculum.show.plots.paths import plot_paths

PLOTS_OF_BODIES: Mapping[str, PlotKind] = {
    "path": plot_paths,
    "energy": plot_energies,
    "contact": plot_contact_states,
}
