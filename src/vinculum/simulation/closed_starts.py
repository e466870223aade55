"""Starts with closed loops: their branch, and singular starts."""

from collections.abc import Mapping

import numpy as np

from vinculum.derivations.starts.assembly import Assembly, assemble
from vinculum.derivations.starts.constraint_starts import square_told
from vinculum.derivations.starts.mobility import mobility_of
from vinculum.derivations.starts.repairs import warn_user
from vinculum.errors import StartError
from vinculum.integrators.watch.troubled_conditions import dependent_ones
from vinculum.models.model import Model
from vinculum.systems import named_in_start


def closed_start(
    model: Model, q, v, values, start: Mapping[str, object], begin: float, met: bool, repair: bool = False
) -> tuple:
    """The model of the branch on which the start lies once its loops are closed, its state and parameters, and remarks.

    ``repair``: that it may be moved was asked for; then all that was moved is told, and large changes of given values are warned of.
    """
    made = assemble(model, q, v, values, *named_in_start(start), t=begin, met=met)
    if made.singular:
        state = np.concatenate([made.q, made.v])
        who = dependent_ones(made.model, state, begin, made.values)
        advice = square_told(made.model, state, begin, made.values) or "start a little away from it"
        raise StartError(
            f"system '{model.name}': the start {(np.round(made.q, 6) + 0.0).tolist()} of {model.layout.q_names} is a singular position, "
            f"where {who} leave{'s' * who.startswith('the constraint ')} more degrees of freedom than nearby and the motion "
            "is not determined; "
            f"{advice}"
        )
    log = made.remarks(made.changes) if repair else made.log
    large = [change for change in made.changes if change.given and change.large]
    if repair and large:
        warn_user(
            f"system '{model.name}': repair=True changed what the start gave: {'; '.join(map(str, large))}; give values that meet the "
            "constraints to keep them"
        )
    return made.model, made.q, made.v, made.values, [*log, *_remarks(model, made, values, begin)]


def _remarks(model: Model, made: Assembly, values, begin: float) -> list[str]:
    """What is to be said about gaps that follow from others, if there are such."""
    layout = made.model.layout
    if layout.rank == len(layout.gaps):
        return []
    found = mobility_of(model, made, values, begin)
    return [f"{found.subject}: {line}" for line in str(found).splitlines()] if found.redundant else []
