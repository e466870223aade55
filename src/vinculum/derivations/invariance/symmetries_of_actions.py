"""Change of an action's energy under superposed rigid motions; for many pairs, of one pair with symbolic numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from vinculum.bodies import Body
from vinculum.bonds import Action, BodyView, PairAction
from vinculum.bonds.body_view import change_view
from vinculum.derivations.invariance.symmetries import Symmetries, symmetries
from vinculum.scalars import parameter
from vinculum.systems import FreeViews, free_views
from vinculum.tolerances.samples import BODIES_OF_A_PAIR_ACTION


def action_symmetries(
    action: Action, ends: Sequence[Body | None], values: Mapping[str, float]
) -> tuple[FreeViews, Symmetries]:
    """The bodies that were looked at, at places that are symbols, and what motions do to the energy of an action between
    ``ends`` (None for the ground)."""
    paired = action if isinstance(action, PairAction) and len(ends) > BODIES_OF_A_PAIR_ACTION else None
    free = free_views(ends if paired is None else ends[:BODIES_OF_A_PAIR_ACTION])
    found = symmetries(action.law.energy_at(free.still, free.t), free, values)
    if paired is not None and found.exact and not _every_pair_is_invariant(paired, ends, values):
        found = replace(found, exact=None)
    return free, found


def _every_pair_is_invariant(action: PairAction, ends: Sequence[Body | None], values: Mapping[str, float]) -> bool:
    """Whether one pair with open masses and numbers is invariant, for points and for rigid bodies as they occur."""
    kinds = {end is None or end.turns: end for end in ends}
    for pair in product(kinds.values(), repeat=2):
        free = free_views(pair)
        a, b = (_with_letters(view, action, i) for i, view in enumerate(free.still))
        if symmetries(action.law.pair_energy(a, b, free.t), free, values).exact is not True:
            return False
    return True


def _with_letters(view: BodyView, action: PairAction, i: int) -> BodyView:
    """A body whose mass and further numbers are letters."""
    numbers = {name: parameter(f"{name}_{i}", 1.0 + 0.37 * i) for name in action.law.numbers}
    return change_view(view, mass=parameter(f"mass_{i}", 1.0 + 0.61 * i), numbers=numbers)
