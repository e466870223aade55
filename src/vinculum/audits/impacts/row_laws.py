"""Laws of all unilateral constraints and contacts at a motion's impacts, as arrays over instants and rows."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.impacts.contact_rows import pad_contacts
from vinculum.bonds.unilaterals.impact_laws import SIMULTANEOUS
from vinculum.models.model import Model
from vinculum.motion.impulses.meetings import Meetings


@final
@dataclass(frozen=True, eq=False)
class RowLaws:
    """For K instants and M unilateral constraints and contacts: ``restitution`` (K, M), ``plain`` (K, M): of Newton's kind and
    simultaneous, ``in_turn`` (M,): those with sequential impacts, ``by_impulses`` (K, M): those with Poisson's ratio, ``axes``
    (K, M, 2): μ along both tangents, ``rough`` (K, M): with friction, ``lengths`` (K, M, 2): of spinning and rolling [m].

    ``turns`` (M,): the index of the three rows of rotation of each, −1 if it has none. The unilateral constraints come
    first, then the contacts.
    """

    restitution: np.ndarray
    plain: np.ndarray
    in_turn: np.ndarray
    by_impulses: np.ndarray
    axes: np.ndarray
    rough: np.ndarray
    lengths: np.ndarray
    turns: np.ndarray
    unilaterals: tuple[str, ...]
    kinds: tuple[str, ...]
    who: np.ndarray
    shapes: tuple[str, ...]

    def name(self, k: int, c: int) -> str:
        """The unilateral constraint, or the two bodies that meet."""
        if c < len(self.unilaterals):
            return f"'{self.unilaterals[c]}'"
        i, j = self.who[k, c - len(self.unilaterals)]
        return f"'{self.shapes[i]}' and '{self.shapes[j]}'"

    def kind(self, k: int, c: int) -> str:
        """The impact law there."""
        return (
            self.kinds[c]
            if c < len(self.unilaterals)
            else law_between_shapes(self.restitution[k, c], self.by_impulses[k, c])
        )


def law_between_shapes(e: float, by_impulses: bool) -> str:
    """The impact law of shapes, in words."""
    return f"{'Poisson' if by_impulses else 'Newton'}({e:g})"


def row_laws(model: Model, met: Meetings | None, count: int) -> RowLaws:
    """The laws of a model's unilateral constraints, and of the contacts of ``count`` instants."""
    entries = list(model.layout.unilaterals.values())
    b = len(entries)
    poisson = [one.by_impulses for one in entries]
    plain = [not two and one.treatment == SIMULTANEOUS for one, two in zip(entries, poisson, strict=True)]
    numbers = [[one.restitution for one in entries], plain, [one.friction or (0.0, 0.0) for one in entries],
               [bool(one.friction) for one in entries], [one.lengths or (0.0, 0.0) for one in entries], poisson]  # fmt: skip
    tails = (b,), (b,), (b, 2), (b,), (b, 2), (b,)
    own = [
        np.broadcast_to(np.array(x, dtype=float).reshape(tail), (count, *tail))
        for x, tail in zip(numbers, tails, strict=True)
    ]
    resisting = [c for c, one in enumerate(entries) if one.lengths]
    turns = np.full(b, -1)
    who = np.zeros((count, 0, 2), dtype=np.int64)
    if met is not None and model.shapes is not None:
        which = model.shapes.pairs[met.shapes[:, 0], met.shapes[:, 1]]
        laws, two = model.shapes.laws[which], model.shapes.by_impulses[which]
        mu = np.maximum(laws[:, 1], 0.0)
        theirs = [laws[:, 0], 1.0 - two, np.column_stack([mu, mu]), (laws[:, 1] >= 0.0) * 1.0, laws[:, 2:], 1.0 * two]
        own = [np.concatenate([x, pad_contacts(met, y, count)], axis=1) for x, y in zip(own, theirs, strict=True)]
        who = pad_contacts(met, met.shapes.astype(float), count).astype(np.int64)
        more = who.shape[1]
        turns = np.concatenate(
            [turns, b + more + len(resisting) + np.arange(more) if model.shapes.resists else np.full(more, -1)]
        )
    else:
        more = 0
    turns[resisting] = b + more + np.arange(len(resisting))
    kinds = tuple(f"{one.impact}({one.restitution:g})" for one in entries)
    in_turn = np.zeros(b + more, dtype=bool)
    in_turn[:b] = [one.treatment != SIMULTANEOUS for one in entries]
    names, shapes = tuple(model.layout.unilaterals), tuple(model.layout.shapes)
    return RowLaws(
        own[0],
        own[1] > 0.0,
        in_turn,
        own[5] > 0.0,
        own[2],
        own[3] > 0.0,
        own[4],
        turns.astype(np.int64),
        names,
        kinds,
        who,
        shapes,
    )
