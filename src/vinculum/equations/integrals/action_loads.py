"""Actions on parts of a system at random states: their wrenches on links, and whether they change the energy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bonds.efforts import moment_of, moment_size
from vinculum.equations.actions import action_views, effort_power, exerted_efforts, power_size
from vinculum.equations.sampling.jumps import has_jumps
from vinculum.equations.sampling.null_spaces import restrict_basis
from vinculum.equations.sampling.opaque import OPAQUE
from vinculum.equations.sampling.states import Sampling
from vinculum.scalars import Scalar, depends_on
from vinculum.scalars.math import cross
from vinculum.systems import Placement, Tree
from vinculum.tolerances.rank import NULL_VECTOR


@final
@dataclass(frozen=True, eq=False)
class ActionLoad:
    """One action: its ``links`` (−1 for the ground), its ``wrenches`` on them at the samples, (count, ends, 6) each in world axes
    at the world's origin, as numbers and by algebra alone (`OPAQUE`), and whether it ``works``: time enters its energy, the energy
    jumps, or efforts that follow from no energy do work. ``terms``: sizes (count,) of the terms that may cancel in the moments
    of bodies that deform, for both. ``by_energy``: whether all of its wrenches follow from its energy."""

    links: tuple[int, ...]
    wrenches: tuple[np.ndarray, np.ndarray]
    works: bool
    terms: tuple[np.ndarray, np.ndarray]
    by_energy: bool

    def on(self, links: Sequence[int]) -> bool:
        """Whether it acts on one of the links."""
        return any(i in links for i in self.links if i >= 0)

    def restrict(self, twists: np.ndarray, links: Sequence[int]) -> np.ndarray:
        """The part of a space of twists (k, 6) in which it does no work on the links, moved as one.

        Measured sample by sample against its own terms: those of bodies near each other may be larger by many orders.
        """
        inside = [k for k, i in enumerate(self.links) if i >= 0 and i in links]
        for wrenches, terms in zip(self.wrenches, self.terms, strict=True):
            if not np.all(np.isfinite(wrenches)):
                sound = np.all(np.isfinite(wrenches), axis=(1, 2))
                if 2 * sound.sum() < len(sound):
                    return twists[:0]
                wrenches, terms = wrenches[sound], terms[sound]
            own = wrenches[:, inside]
            size = np.maximum(np.abs(own).max(axis=(1, 2), initial=0.0), terms)[:, None]
            twists = restrict_basis(twists, own.sum(axis=1) / np.where(size > 0.0, size, 1.0))
        return twists


def action_loads(tree: Tree, placed: Sequence[Placement], at: Sampling) -> list[ActionLoad]:
    """The loads of every action of a tree."""
    found = []
    for acting in tree.actions:
        does = exerted_efforts(tree, acting, placed, at.t)
        views = action_views(tree, acting, placed)
        rows = [
            np.concatenate([pair[0], moment_of(view, pair) + cross(view.position, pair[0])])
            for view, pair in zip(views, does.efforts(), strict=True)
        ]
        wrenches = np.array(rows, dtype=object)
        power = sum(effort_power(view, one) for view, one in zip(views, does.other, strict=True))
        size = sum(power_size(view, one) for view, one in zip(views, does.other, strict=True))
        works = depends_on([does.energy], [at.t]) or has_jumps(does.energy, at)
        for operations in (None, OPAQUE):
            rate, gross = at.of([power, size], operations).T
            works = works or not np.all(np.abs(rate) <= NULL_VECTOR * gross)
        terms = [sum((moment_size(view, one) for view, one in zip(views, does.efforts(), strict=True)), 0.0)]
        by_energy = not any(isinstance(x, Scalar) or x != 0.0 for pair in does.other for part in pair for x in part)
        cancels = at.of(terms)[:, 0], at.of(terms, OPAQUE)[:, 0]
        found.append(ActionLoad(acting.links, (at.of(wrenches), at.of(wrenches, OPAQUE)), works, cancels, by_energy))
    return found
