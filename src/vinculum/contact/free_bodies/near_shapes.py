"""Shapes in their places, and which of them are near each other: what free bodies and blocks in contact have in common."""

from typing import final

import numpy as np

from vinculum.collision.arrays import Polyhedra, Shapes
from vinculum.collision.beneath import depths_by_surface, rays_of
from vinculum.collision.narrow_phase.choice import phase_of
from vinculum.collision.narrow_phase.entry import Entry, entry_of
from vinculum.collision.pool import Pool
from vinculum.contact.free_bodies.arrays import LISTED, MARGIN, RECORDED
from vinculum.contact.free_bodies.pair_lists import empty_pairs, grow_pairs
from vinculum.contact.free_bodies.room import empty_contacts
from vinculum.contact.free_bodies.warm_start import restore_pairs
from vinculum.tolerances.contact import SLACK, TOUCH


@final
class NearShapes:
    """Shapes ``placed`` in the world with ``velocity`` (n, 8), the first ``moving`` of which move; their near ``pairs``, ``counts`` of
    what is listed and recorded, and ``contacts``. ``touch``: the gap at which they touch, ``slack``: penetration that is not corrected [m].
    ``pressed``: records of contacts, ``width`` numbers each."""

    def __init__(self, placed: Shapes, moving: int, pool: Pool, velocity: np.ndarray, pairs: int, width: int):
        self.placed, self.moving, self.velocity = placed, moving, velocity
        self._address, self._rays = phase_of(placed.kind), rays_of(pool)
        self._polyhedra = Polyhedra(*pool.solids, pool.surfaces)
        small = float(placed.reach[:moving].min())
        self.touch, self.slack = TOUCH * small, SLACK * small
        self.counts = np.array([0.0, -1.0, 0.0])
        self.pairs, self.pressed = empty_pairs(moving, len(placed.kind), pairs), np.empty((pairs, width))
        self.contacts = empty_contacts(0)

    @property
    def listed(self) -> int:
        """Number of near pairs."""
        return int(self.counts[LISTED])

    @property
    def recorded(self) -> int:
        """Number of records."""
        return int(self.counts[RECORDED])

    def entry(self) -> Entry:
        """The narrow phase on the present arrays."""
        return entry_of(self._address, self.pairs.now, self.placed, self.velocity, self.contacts, self._polyhedra)

    def list_anew(self) -> None:
        """Forget the near pairs, and with them the impulses of their contacts."""
        self.counts[LISTED], self.counts[MARGIN] = 0.0, -1.0

    def forget_step(self) -> None:
        """Go back to the contacts of the preceding step, whose impulses are stored."""
        restore_pairs(self.pairs, self.counts)

    def grow_pairs(self) -> None:
        """Make room for twice as many pairs."""
        self.pairs = grow_pairs(self.pairs)

    def grow_records(self, least: int) -> None:
        """Make room for twice as many records, and at least so many more."""
        more = max(least, len(self.pressed))
        self.pressed = np.concatenate([self.pressed, np.empty((more, self.pressed.shape[1]))])

    def forget_records(self) -> None:
        """Begin the records anew."""
        self.counts[RECORDED] = 0.0

    def keep_records(self, count: int) -> None:
        """Forget the records after so many."""
        self.counts[RECORDED] = count

    def records(self) -> np.ndarray:
        """Active contacts that were recorded: step, both shapes, position, normal and impulse in world axes."""
        return self.pressed[: self.recorded].copy()

    def keep_closed(self, m: int, within: float) -> int:
        """Keep only those of the m present contacts whose gaps are below ``within`` [m], or at which shapes touch; returns their number."""
        own = np.flatnonzero(self.contacts.gap[:m] <= max(within, self.touch))
        for part in self.contacts:
            part[: len(own)] = part[own]
        return len(own)

    def penetrations(self, m: int) -> dict[tuple[int, int], float]:
        """Pairs of shapes that penetrate each other at the m present contacts, and their depths [m]."""
        found: dict[tuple[int, int], float] = {}
        gap, who = self.contacts.gap, self.contacts.who
        for c in np.flatnonzero(gap[:m] < 0.0):
            pair = int(who[c, 0]), int(who[c, 1])
            found[pair] = max(found.get(pair, 0.0), -float(gap[c]))
        return found

    def beneath(self) -> dict[tuple[int, int], float]:
        """Shapes whose centers are beyond a surface, and how deep [m]."""
        found, placed = {}, self.placed
        for wall, depth in depths_by_surface(self._rays, placed.center, self.moving, placed.kind, placed.size):
            found |= {(int(i), wall): float(depth[i]) for i in np.flatnonzero(depth > 0.0)}
        return found
