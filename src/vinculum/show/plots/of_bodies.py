"""Plots that every motion of bodies has besides that over time."""

from collections.abc import Mapping

from vinculum.show.plots.contact_states import has_contacts, plot_contact_states
from vinculum.show.plots.energies import plot_energies
from vinculum.show.plots.kinds import PlotKind
from vinculum.show.plots.paths import plot_paths

PLOTS_OF_BODIES: Mapping[str, PlotKind] = {
    "path": PlotKind(plot_paths),
    "energy": PlotKind(plot_energies),
    "contact": PlotKind(plot_contact_states, has_contacts),
}
