r"""The weak form of the equations of motion of free bodies in contact for random fields of virtual twists.

.. math:: -\int (p\cdot\dot\zeta + L\cdot\dot\vartheta + m g\cdot\zeta)\,dt - \sum P\cdot(\zeta + \vartheta\times r)
    + \big[p\cdot\zeta + L\cdot\vartheta\big]

Impulses on bodies with an impact are atoms in the middles of steps. Other impulses are spread over the steps.
Moreau, An expression of classical dynamics, (8.4), (8.5), (8.10).
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.free_bodies.answers_of_contacts import contact_wrenches
from vinculum.audits.free_bodies.energy import has_halved_steps
from vinculum.audits.free_bodies.fields import TwistField, random_field
from vinculum.audits.free_bodies.own_scales import rest_speed
from vinculum.audits.free_bodies.windows import FreeBodiesWindow, window
from vinculum.audits.weak_result import WeakResidual
from vinculum.contact.free_bodies.observables import matrices
from vinculum.errors import MethodError
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import IN_PASSING, QUADRATICS_FOLLOWED, SWEPT, TURNED, WINDOW_SAFETY
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.samples import AT_IMPACTS, BODIES_OF_A_FIELD, WIDEST_FIELD
from vinculum.tolerances.sizes import NUMBERS_OF_A_WINDOW


@final
@dataclass(frozen=True, eq=False)
class Weighed:
    """The weak form for one field [W s]: its value, the value without known errors of time stepping, the size of its terms, its tolerance,
    the relative mass input, and the virtual power of the impulses in the value."""

    total: float
    explained: float
    size: float
    tolerance: float
    mass_input: float
    power: float


def is_testable(motion: Record) -> bool:
    """Whether the impulses of free bodies in contact are known, and the steps to which they belong."""
    return has_halved_steps(motion) and motion.contact_solver is not None and motion.contact_solver.pressing is not None


@final
class FreeBodiesWeak:
    """The weak form on the motion of free bodies in contact, with the data that all fields share."""

    def __init__(self, motion: Record):
        if not is_testable(motion):
            raise MethodError(
                f"the impulses of '{motion.model.name}' are not known, so its weak form cannot be tested; use a simulated "
                "or loaded motion"
            )
        free_bodies = free_bodies_of(motion.model)
        assert motion.contact_solver is not None and motion.contact_solver.pressing is not None
        self.motion, self.free_bodies, self.pressing = motion, free_bodies, motion.contact_solver.pressing
        self.owners = self.pressing.contact_solver
        self.steps, self._rest = len(motion.pieces) // 2, rest_speed(motion)
        self._most = max(1, min(WIDEST_FIELD, NUMBERS_OF_A_WINDOW // (6 * 39 * free_bodies.count)))

    def field(self, rng) -> tuple[FreeBodiesWindow, TwistField]:
        """A random field around an impulse, or anywhere, on one to three bodies, and the steps in which it is not zero."""
        rows, free_bodies, at = self.pressing.rows, self.free_bodies, None
        step, chosen = int(rng.integers(self.steps)), [int(rng.integers(free_bodies.count))]
        if len(self.owners) and rng.random() < AT_IMPACTS:
            at = np.asarray(rows[int(rng.integers(len(self.owners)))])
            step, chosen = int(at[0]), [int(b) for b in at[1:3] if b < free_bodies.count]
        step = min(step, self.steps - 1)
        others = rng.integers(free_bodies.count, size=BODIES_OF_A_FIELD).tolist()
        count = int(rng.integers(1, BODIES_OF_A_FIELD + 1))
        bodies = np.array(list(dict.fromkeys(chosen + others))[:count])
        return self.about(rng, step, bodies, self._most ** rng.random())

    def about(self, rng, step: int, bodies: np.ndarray, half_width: float) -> tuple[FreeBodiesWindow, TwistField]:
        """A random field on bodies over ``half_width`` steps on each side of one, as far as the motion goes."""
        reach = max(1, round(half_width))
        low, high = step - int(rng.integers(reach)), step + reach
        seen = window(self.motion, self.owners, max(0, low), min(self.steps, high), bodies)
        edges = np.asarray(self.motion.pieces.times)
        d = float(edges[2 * step + 2] - edges[2 * step])
        begin = float(seen.edges[0]) - d * max(0, -low)  # a bump may begin before the motion, and end after it
        end = float(seen.edges[-1]) + d * max(0, high - self.steps)
        way = float(np.ptp(seen.x.reshape(-1, len(bodies), 3), axis=0).max(initial=0.0))
        length = max(float(self.free_bodies.reaches[bodies].max()), way)
        return seen, random_field(rng, seen, self.scales(bodies), length, 0.5 * (begin + end), 0.5 * (end - begin))

    def scales(self, bodies: np.ndarray) -> np.ndarray:
        """Virtual twists (b, 6) with unit kinetic norm in every component."""
        turn = np.trace(self.free_bodies.inertias[bodies], axis1=1, axis2=2) / 3.0
        return np.repeat(1.0 / np.sqrt(np.stack([self.free_bodies.masses[bodies], turn], axis=1)), 3, axis=1)

    def _resting(self, bodies: np.ndarray) -> np.ndarray:
        """The largest momenta (b, 6) of bodies that count as at rest."""
        turn = np.trace(self.free_bodies.inertias[bodies], axis1=1, axis2=2) / (3.0 * self.free_bodies.reaches[bodies])
        return self._rest * np.repeat(np.stack([self.free_bodies.masses[bodies], turn], axis=1), 3, axis=1)

    def of(self, seen: FreeBodiesWindow, field: TwistField) -> Weighed:
        """The weak form for a field on the bodies of a window."""
        free_bodies, edges = self.free_bodies, seen.edges
        w, w_dot = field.twist(seen.time, seen.x), field.twist_rate(seen.time, seen.x, seen.v)
        weight = np.concatenate(
            [free_bodies.masses[seen.bodies, None] * free_bodies.gravity, np.zeros((len(seen.bodies), 3))], axis=1
        )
        kept, fell = seen.momenta * w_dot, weight * w
        spread = np.repeat(np.where(seen.hit[..., None], 0.0, seen.impulses), 2, axis=0)[:, None] * w
        spread /= np.repeat(edges[2::2] - edges[:-1:2], 2)[:, None, None, None]
        middles = edges[1::2]
        before = field.twist(middles, seen.middle)
        atoms = np.where(seen.hit[..., None], seen.impulses, 0.0) * before
        ends, mass = self._ends(seen, field)
        given = self._given_impulse_powers(seen, field)

        def whole(x: np.ndarray) -> float:
            return float(np.einsum("kg,kgbc->", seen.weights, x))

        power = whole(spread) + float(atoms.sum())
        total = -whole(kept) - whole(fell) - power + float(ends.sum()) - float(given.sum())
        size = whole(np.abs(kept)) + whole(np.abs(fell)) + whole(np.abs(spread))
        size += sum(float(np.abs(x).sum()) for x in (atoms, ends, given))
        size += whole(self._resting(seen.bodies) * np.abs(w_dot))
        leapt = field.twist(middles, seen.middle + seen.jumps) - before
        half = (edges[2::2] - middles)[:, None, None] * weight
        after = np.where(seen.hit[..., None], seen.end[..., 6:] - half, 0.5 * (seen.begin + seen.end)[..., 6:])
        explained = total + whole((seen.momenta - seen.law) * w_dot) - float((after * leapt).sum())
        mass_rate = field.mass_rate(seen.time, seen.x, seen.v)
        missed = mass - float(np.einsum("kg,kgb->", seen.weights, mass_rate))
        missed -= float((field.mass(middles, seen.middle + seen.jumps) - field.mass(middles, seen.middle)).sum())
        gone = float(np.einsum("kg,kgb->", seen.weights, np.abs(mass_rate)))
        pressed = float((seen.gross * np.abs(before)).sum())
        clock = np.abs(edges).max() / max(edges[-1] - edges[0], np.finfo(float).tiny)
        rounded = WINDOW_SAFETY * ROUND_OFF * (len(edges) + clock + 10.0) + QUADRATICS_FOLLOWED + TURNED * seen.turn**3
        size = max(size, np.finfo(float).tiny)
        return Weighed(
            total, explained, size, rounded * size + SWEPT * pressed, missed / max(gone, np.finfo(float).tiny), power
        )

    def _ends(self, seen: FreeBodiesWindow, field: TwistField) -> tuple[np.ndarray, float]:
        """Point measures of the initial and final data, and of mass: zero except at the ends of the motion."""
        instants = seen.edges[[0, -1]]
        states = np.stack([seen.begin[0], seen.end[-1]])
        signs = np.array([-1.0, 1.0])
        powers = signs[:, None, None] * states[..., 6:] * field.twist(instants, states[..., :3])
        return powers, float((signs[:, None] * field.mass(instants, states[..., :3])).sum())

    def _given_impulse_powers(self, seen: FreeBodiesWindow, field: TwistField) -> np.ndarray:
        """Virtual powers of given impulses within the window, and of the contacts that answer them."""
        motion, atoms = self.motion, self.motion.atoms
        if atoms is None or atoms.given is None or not len(atoms):
            return np.zeros(0)
        inside = (atoms.times > seen.edges[0]) & (atoms.times < seen.edges[-1])
        if not np.any(inside):
            return np.zeros(0)
        times = atoms.times[inside]
        Q = motion.pieces.state(times, side="left")[:, : motion.model.nq].reshape(len(times), -1, 7)[:, seen.bodies]
        R, center = matrices(Q[..., 3:]), self.free_bodies.centers[seen.bodies]
        given = atoms.given[inside].reshape(len(times), -1, 6)[:, seen.bodies]
        moment = given[..., 3:] - np.cross(center, given[..., :3])
        pushed = np.concatenate([np.einsum("knij,knj->kni", R, x) for x in (given[..., :3], moment)], axis=-1)
        pushed = pushed + contact_wrenches(motion)[inside][:, seen.bodies]
        x = Q[..., :3] + np.einsum("knij,nj->kni", R, center)
        return pushed * field.twist(times, x)


def free_bodies_weak_residual(motion: Record, fields: int, seed: int) -> WeakResidual:
    """The weak form on the motion of free bodies in contact for ``fields`` random test fields, most of them around impulses."""
    rng, weak, names = np.random.default_rng(seed), FreeBodiesWeak(motion), list(motion.model.layout.bodies)
    rows, bodies = [], []
    for _ in range(fields):
        seen, field = weak.field(rng)
        one = weak.of(seen, field)
        own = one.total / one.size, one.explained / one.size, one.tolerance / one.size
        rows.append((*own, one.mass_input, field.center, field.width))
        bodies.append(tuple(names[b] for b in seen.bodies))
    values, explained, tolerances, mass, centers, widths = np.array(rows).T
    return WeakResidual(values, explained, tolerances, mass, IN_PASSING * tolerances, centers, widths, tuple(bodies))
