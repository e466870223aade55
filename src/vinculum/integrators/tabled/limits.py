"""Where the laws of rows of bonds and bodies over tables end."""

from functools import partial

from vinculum.integrators.row_limits import RowLimits
from vinculum.models.model import Model
from vinculum.models.tabled.limits import ReasonsOverTables, number_of_inertias, number_of_limits, rooms_over_tables
from vinculum.models.tabled.type import tabled_in


def limits_over_tables(model: Model) -> RowLimits | None:
    """The limits of all rows; None without such."""
    tabled = tabled_in(model)
    if model.tree is None or not number_of_limits(tabled):
        return None
    return RowLimits(
        partial(rooms_over_tables, tabled), ReasonsOverTables(tabled, model.tree), number_of_inertias(tabled)
    )
