"""Contact forces of closed unilateral constraints: they are compressive, lie in the friction cone and oppose sliding."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.contact.shared_forces import unexplained_share, unexplained_without_friction
from vinculum.audits.impacts.least_slips import speed_of_slips
from vinculum.audits.impacts.seen_impacts import Geometry, geometry, impacts
from vinculum.audits.phases import phases, reaction_forces
from vinculum.audits.scaling.scales import instant_limit
from vinculum.bonds.unilaterals import SLIDES
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states
from vinculum.motion.views import BondMotion
from vinculum.tolerances.certificates import CONTACTS_PUSH, SAFETY, SLIP_DIRECTED
from vinculum.tolerances.event_driven import STILL
from vinculum.tolerances.rank import LOADS_INDEPENDENT, LOADS_SHARED
from vinculum.tolerances.round_off import NEXT_TO_ZERO, ROUND_OFF
from vinculum.tolerances.samples import INSTANTS_OF_A_PHASE, PHASES_LOOKED_AT
from vinculum.tolerances.time import BRIEF_PHASE


def contact_force_lines(motion: Record) -> list[Line]:
    """Lines for the contact forces in the phases of an event-driven motion; none without closed unilateral constraints."""
    closed = {phase.step: phase.closed for phase in motion.phases if phase.closed}
    brief = BRIEF_PHASE * (motion.pieces.end - motion.pieces.begin)
    parts = [(first, part) for first, part in phases(motion) if first in closed] if closed else []
    parts = [(first, part) for first, part in parts if part.pieces.end - part.pieces.begin > brief]
    if not parts:
        return []
    chosen = [
        parts[k] for k in np.unique(np.linspace(0, len(parts) - 1, min(len(parts), PHASES_LOOKED_AT)).astype(int))
    ]
    found = impacts(motion)
    still = 0.0 if found is None else STILL * speed_of_slips(found)
    borne = [_contact_loads(motion, first, part, closed[first], still) for first, part in chosen]
    cones = [
        line for (_, part), one in zip(chosen, borne, strict=True) if (line := _cone(motion, part, one)) is not None
    ]
    return [_worst([_signs(motion, part, one) for (_, part), one in zip(chosen, borne, strict=True)])] + (
        [_worst(cones)] if cones else []
    )


@final
@dataclass(frozen=True, eq=False)
class _ContactLoads:
    """Loads of closed unilateral constraints at instants of a phase: reactions R (t, nv), rows of their speeds, W = J M⁻¹ Jᵀ of those rows.

    ``least`` [N]: least scale of the forces, for bodies that move alike and do not press. It is the force that would cancel the
    acceleration of one of them. ``still`` [m/s]: slips slower than this count as none.
    """

    closed: Sequence[tuple[str, str]]
    time: np.ndarray
    states: np.ndarray
    at: Geometry
    R: np.ndarray
    rows: np.ndarray
    W: np.ndarray
    least: float
    still: float

    @property
    def unique(self) -> bool:
        """Whether the force of every row is unique."""
        return not np.any(np.linalg.cond(self.W) > 1.0 / LOADS_INDEPENDENT)

    @property
    def pressed_uniquely(self) -> bool:
        """Whether normal forces are unique, for any friction."""
        sizes, ways = np.linalg.eigh(self.W)
        idle = ways[:, self.rows % 3 == 0] * (sizes < LOADS_INDEPENDENT * sizes[:, -1:])[:, None]
        return not np.any(np.abs(idle) > LOADS_SHARED)

    def part_of_least(self, k: int) -> float:
        """The reactions at an instant over the least scale of forces, in the kinetic metric, if they are smaller; else one."""
        reaction = float(np.sqrt(max(self.R[k] @ self.at.mobility[k] @ self.R[k], 0.0)))
        least = self.least * float(np.sqrt(np.diag(self.W[k]).max(initial=0.0)))
        return min(1.0, reaction / max(least, NEXT_TO_ZERO))


def _contact_loads(motion: Record, first: int, part: Record, closed, still: float) -> _ContactLoads:
    entries = motion.model.layout.unilaterals
    time = _instants(part)
    piece = np.clip(np.searchsorted(np.asarray(part.pieces.times), time, side="right") - 1, 0, len(part.pieces) - 1)
    coefficients = part.pieces.coefficients_of(piece)
    states = recorded_states(part, time, horner(coefficients, time - np.asarray(part.pieces.times)[piece]))
    at, names = geometry(motion, time, states), list(entries)
    rows = [3 * names.index(name) + k for name, _ in closed for k in ((0, 1, 2) if entries[name].friction else (0,))]
    J = at.jacobians[:, rows]
    R = reaction_forces(motion, first + piece, time, states)
    W = J @ at.mobility @ np.swapaxes(J, 1, 2)
    powers = np.arange(1, coefficients.shape[2])
    rates = horner(coefficients[:, motion.model.nq :, 1:] * powers, time - np.asarray(part.pieces.times)[piece])
    eased = np.einsum("trr->tr", W)
    least = np.einsum("tri,ti->tr", np.abs(J), np.abs(rates)) / np.where(eased > 0.0, eased, np.inf)
    return _ContactLoads(
        closed, time, states, at, R, np.array(rows), W, max(float(least.max(initial=0.0)), NEXT_TO_ZERO), still
    )


def _signs(motion: Record, part: Record, borne: _ContactLoads) -> Line:
    """λ_N ≥ 0 of the multipliers of the phase. If normal forces are not unique, some compressive ones must produce the motion."""
    told = "contact forces λ_N ≥ 0"
    if not borne.pressed_uniquely:
        return _line_of_shared_loads(told, motion, borne, unexplained_without_friction, "that push")
    at = part.at(borne.time)
    forces = np.stack([np.atleast_2d(BondMotion(at, name).multiplier.T)[0] for name, _ in borne.closed], axis=1)
    size = max(float(np.abs(forces).max()), borne.least)
    worst = max(float(-forces.min()) / size, 0.0)
    k, c = np.unravel_index(int(np.argmin(forces)), forces.shape)
    detail = (
        f"'{borne.closed[int(c)][0]}' at t = {at.time[k]:.9g} s" if worst > instant_limit(motion, CONTACTS_PUSH) else ""
    )
    return Line(told, worst, instant_limit(motion, CONTACTS_PUSH), "while gaps are closed", detail)


def _cone(motion: Record, part: Record, borne: _ContactLoads) -> Line | None:
    """|λ_T| ≤ μ λ_N and λ_T · u_T ≤ 0 of the forces on closed unilateral constraints, computed from their accelerations. If these do not
    determine the forces, some forces in the cones must produce the accelerations."""
    told, entries = "contact forces in the cone of friction", motion.model.layout.unilaterals
    names, time, states, at, R = list(entries), borne.time, borne.states, borne.at, borne.R
    rough = [name for name, _ in borne.closed if entries[name].friction]
    if not rough:
        return None
    if not borne.unique:
        return _line_of_shared_loads(told, motion, borne, unexplained_share, "in their cones")
    J = at.jacobians[:, borne.rows]
    rows, W = borne.rows, borne.W
    found = np.linalg.solve(W, np.einsum("tri,tij,tj->tr", J, at.mobility, R)[:, :, None])[:, :, 0]
    forces = np.zeros((len(time), 3 * len(names)))
    forces[:, rows] = found
    u = np.einsum("trn,tn->tr", at.jacobians, states[:, motion.model.nq :]) + at.drifts
    size = max(float(np.abs(forces).max()), borne.least)
    made = float(np.abs(np.einsum("tij,tj->ti", at.mobility, R)).max()) * (part.pieces.end - part.pieces.begin)
    speed = max(
        float(np.abs(states[:, motion.model.nq :]).max()), made, NEXT_TO_ZERO
    )  # at rest: the speed that the forces could have produced
    worst, where = 0.0, ""
    for name in rough:
        i, axes = 3 * names.index(name), np.array(entries[name].friction)
        used = np.hypot(*(forces[:, i + 1 : i + 3] / np.where(axes > 0.0, axes, 1.0)).T)
        over = np.maximum(used - forces[:, i], 0.0) * axes.max() / size
        gain = np.maximum(np.einsum("tk,tk->t", forces[:, i + 1 : i + 3], u[:, i + 1 : i + 3]), 0.0) / (size * speed)
        k = int(np.argmax(np.maximum(over, gain)))
        if max(over[k], gain[k]) > worst:
            worst, where = float(max(over[k], gain[k])), f"'{name}' at t = {time[k]:.9g} s"
    return Line(
        told,
        worst,
        instant_limit(motion, CONTACTS_PUSH),
        "while gaps are closed",
        where if worst > instant_limit(motion, CONTACTS_PUSH) else "",
    )


def _line_of_shared_loads(
    told: str, motion: Record, borne: _ContactLoads, missed: Callable[..., float], which: str
) -> Line:
    """The same if the load distribution among unilateral constraints is not unique."""
    entries, closed, at = motion.model.layout.unilaterals, borne.closed, borne.at
    numbers = [list(entries).index(name) for name, _ in closed]
    rows = (3 * np.array(numbers)[:, None] + np.arange(3)).ravel()
    u = np.einsum("trn,tn->tr", at.jacobians, borne.states[:, motion.model.nq :]) + at.drifts
    axes = [np.array(entries[name].friction) if entries[name].friction else None for name, _ in closed]
    turned = _slip_angle_errors(motion, borne, u)
    worst, where = 0.0, float(borne.time[0])
    for k, t in enumerate(borne.time):
        directed = [
            status == SLIDES and turned[k, c] < SLIP_DIRECTED for c, (_, status) in zip(numbers, closed, strict=True)
        ]
        slips = [u[k, 3 * c + 1 : 3 * c + 3] if known else None for c, known in zip(numbers, directed, strict=True)]
        left = missed(at.jacobians[k, rows], at.mobility[k], borne.R[k], axes, slips) * borne.part_of_least(k)
        left = max(left - turned[k, numbers][directed].max(initial=0.0), 0.0)
        worst, where = max((worst, where), (left, float(t)))
    reason = f"while gaps are closed; forces are not unique, but some {which} produce the motion"
    detail = f"at t = {where:.9g} s" if worst > instant_limit(motion, CONTACTS_PUSH) else ""
    return Line(told, worst, instant_limit(motion, CONTACTS_PUSH), reason, detail)


def _slip_angle_errors(motion: Record, borne: _ContactLoads, u: np.ndarray) -> np.ndarray:
    """Angles (t, m) by which the directions of slips u (t, 3 m) may be wrong: round-off of the velocities in a slip, over the slip.
    The friction of a slip without direction may be any force in its cone. A slip that counts as none has no direction: its sign may follow
    from how links turn beside others, and change within a nanosecond."""
    v = np.abs(borne.states[:, motion.model.nq :])
    terms = (np.einsum("trn,tn->tr", np.abs(borne.at.jacobians), v) + np.abs(borne.at.drifts)).reshape(len(u), -1, 3)
    size = np.linalg.norm(u.reshape(len(u), -1, 3)[:, :, 1:], axis=2)
    rounded = SAFETY * ROUND_OFF * terms[:, :, 1:].max(axis=2) / np.maximum(size, NEXT_TO_ZERO)
    return np.where(size <= borne.still, np.inf, rounded)


def _instants(part: Record) -> np.ndarray:
    """Instants inside a phase."""
    return np.linspace(part.pieces.begin, part.pieces.end, INSTANTS_OF_A_PHASE + 2)[1:-1]


def _worst(lines: list[Line]) -> Line:
    return max(lines, key=lambda line: line.residual / line.tolerance)
