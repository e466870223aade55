"""Impacts at touching unilateral constraints, and the active set afterwards."""

import time as clock
from collections.abc import Mapping, Sequence
from typing import final

import numpy as np

from vinculum.bonds.unilaterals import SLIDES, STICKS
from vinculum.compile.evaluate import groups_of_rows
from vinculum.compile.recent import Recent
from vinculum.contact.dense.gauss_seidel import impulses, put_inverse_on_bonds
from vinculum.contact.dense.impacts import impact
from vinculum.contact.dense.jams import jammed_contact
from vinculum.errors import StartError
from vinculum.integrators.event_driven.contacts import Contacts
from vinculum.integrators.event_driven.shared_loads import Shares, shares_of
from vinculum.integrators.moreau.laws import IN_TURN, NEWTON, Laws
from vinculum.models.model import Model
from vinculum.models.one_unit import Scales
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.impulses.redundancy import surplus
from vinculum.tolerances.certificates import IMPACTS_LUMPED
from vinculum.tolerances.event_driven import (
    ACTIVE_SET_ROUNDS,
    APPROACH_ROUND_OFF,
    AT_LIMIT,
    BARELY,
    EXACTLY_TOUCHING,
    GRIPS_UP_TO,
    HIDDEN,
    HOLDS_NOTHING,
    IMPACT_RESIDUAL,
    IMPACT_SWEEPS,
    LEAST_SYSTEM_SIZE,
    LEAST_SYSTEM_SPEED,
    PRESSING,
    ROUND_OFF_SHIFT,
    SLIPPING,
    START_INSIDE,
    STICKS_INSIDE,
    STILL,
    STOPS_SOON,
    TOUCHING,
    UNRESOLVED_STEPS,
)
from vinculum.tolerances.rank import DEPENDENT_ROWS
from vinculum.tolerances.round_off import TEN_ROUND_OFFS
from vinculum.tolerances.sizes import STATES_IN_MIND


@final
class Touching:
    """The unilateral constraints of a model with their laws, evaluated at states of a run.

    ``size`` [m] and ``speed`` [m/s] are the scales of positions and velocities: the largest so far, with rotations at the arms of the
    contacts, and at least a millionth of what forces do in the ``duration`` [s] of the run; ``energy`` [J] is the largest kinetic energy.
    Slips slower than ``still`` [m/s] count as zero; this bound is at least a share ``least`` of the speed. ``held`` (m,): contacts that
    may have been closed until now. ``steps`` [s]: length of the time steps that led to the state; zero if it was not reached by time
    stepping. ``jammed``: a contact whose impact has no solution.
    """

    def __init__(self, model: Model, values: np.ndarray, least: float = 0.0, duration: float = 0.0):
        assert model.tree is not None
        self.model, self._values = model, values
        self.laws = Laws(model.tree)
        self.names = list(model.layout.unilaterals)
        self.held = np.ones(len(self.names), dtype=bool)
        self._pulls = np.zeros(len(self.names))
        self.size, self.speed, self.still, self.steps = LEAST_SYSTEM_SIZE, LEAST_SYSTEM_SPEED, 0.0, 0.0
        self.energy = 0.0
        self._scales, self._soon = Scales(model.layout, duration), STOPS_SOON * (duration or 1.0)
        self._slipping = max(SLIPPING, least)
        self.steepest = np.zeros(len(self.names))
        self._solved: list[tuple[float, ...]] = []
        self.jammed = ""
        self._recent: Recent[Contacts] = Recent(STATES_IN_MIND)
        self._forces: Recent[tuple[Contacts, np.ndarray, np.ndarray]] = Recent(STATES_IN_MIND)

    def at(self, t: float, state: np.ndarray) -> Contacts:
        key = f"{t!r} {state.tobytes().hex()}"
        found = self._recent.get(key)
        return found if found is not None else self._recent.keep(key, self.along(np.array([t]), state[None])[0])

    def gaps(self, times: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Gaps (B, m) alone, for states (B, n) at instants (B,)."""
        return self._groups("distances", self._rows(times, states))["gaps"]

    def _rows(self, times: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Rows (q, v, t, parameters) for the model's tapes."""
        return np.column_stack([states, times, np.broadcast_to(self._values, (len(times), len(self._values)))])

    def _groups(self, name: str, rows: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs of one of the model's tapes, by name."""
        return groups_of_rows(self.model.tape(name), rows)

    def along(self, times: np.ndarray, states: np.ndarray) -> list[Contacts]:
        """The unilateral constraints at states (B, n) and instants (B,)."""
        rows = self._rows(times, states)
        found = self._groups("contacts", rows)
        rates = np.concatenate(list(self._groups("motion", rows).values()), axis=1)[:, self.model.nq :]
        return [
            self._contacts_of(state, {name: x[k] for name, x in found.items()}, rates[k])
            for k, state in enumerate(states)
        ]

    def _contacts_of(self, state: np.ndarray, found: dict[str, np.ndarray], rates: np.ndarray) -> Contacts:
        nq, nv = self.model.nq, self.model.nv
        H, M = found["jacobians"].reshape(-1, nv), found["mass_matrix"].reshape(nv, nv)
        K = np.empty_like(M)
        put_inverse_on_bonds(M, found["bilateral"].reshape(-1, nv), K)
        v = state[nq:]
        self.energy = max(self.energy, 0.5 * float(np.abs(v) @ np.abs(M) @ np.abs(v)))
        self.size, self.speed = self._scales.include(state, rates, H)
        quickest = np.abs((H @ rates + found["biases"]).reshape(-1, 3)[:, 1:]).max(initial=0.0)
        self.still = max(self.still, self._slipping * self.speed, self._soon * float(quickest))
        return Contacts(found["gaps"], H @ v + found["drifts"], H, found["biases"], K, rates)

    def closed_gaps(self, here: Contacts) -> np.ndarray:
        """Which gaps are zero (m,): up to round-off, or up to the error of the steps for those that were ``held`` before."""
        return (here.gaps <= EXACTLY_TOUCHING * self.size) | ((here.gaps <= TOUCHING * self.size) & self.held)

    def put_on(self, t: float, state: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """The state with the gaps of the ``chosen`` (m,) unilateral constraints closed.

        The correction is the smallest one in the metric of the kinetic energy.
        """
        nq = self.model.nq
        for _ in range(ACTIVE_SET_ROUNDS):
            here = self.at(t, state)
            move = least_change(here, 3 * np.flatnonzero(chosen), np.repeat(here.gaps, 3))
            q = state[:nq] + self.coordinate_rates(t, np.concatenate([state[:nq], move, state[nq + self.model.nv :]]))
            state = self.model.on_charts(np.concatenate([q, state[nq:]])[None])[0]
        return state

    def coordinate_rates(self, t: float, state: np.ndarray) -> np.ndarray:
        """q̇ = N(q) v (nq,) at a state."""
        return self._groups("rates", self._rows(np.array([t]), state[None]))["q_dot"][0]

    def together(self, t: float, state: np.ndarray) -> np.ndarray:
        """The state with all touching gaps exactly zero. Closing only some of them would open the others or press them in.

        A phase begins with its gaps closed and their rates zero. Impulses that stop those rates a little off the gap would leave others
        on it.
        """
        here = self.at(t, state)
        touched = self.closed_gaps(here)
        if np.abs(here.gaps[touched]).max(initial=0.0) <= TEN_ROUND_OFFS * self.size:
            return state
        return self.put_on(t, state, touched)

    def after_impact(
        self,
        here: Contacts,
        v: np.ndarray,
        slow: float,
        given: np.ndarray | None = None,
        held: np.ndarray | bool = False,
        spent: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Velocities after an impact and impulses (3 m,); None if no gap approaches.

        The impact is inelastic if all gaps approach slower than ``slow`` [m/s], or if they would separate so slowly that they count as
        closed. ``given`` (nv,): an applied impulse at the same instant; the impact law relates v to the velocities after both. ``held``
        (m,): further unilateral constraints that count as closed. ``spent`` (m,): those whose impacts accumulate here, which end
        with an inelastic one.
        """
        pushed = np.zeros_like(v) if given is None else here.K @ given
        chosen = np.flatnonzero(self.closed_gaps(here) | held)
        approach = here.speeds[3 * chosen] + here.jacobians[3 * chosen] @ pushed
        if not np.any(approach < -APPROACH_ROUND_OFF * self.speed):
            return None if given is None else (v + pushed, np.zeros(len(here.speeds)))
        places = (3 * chosen[:, None] + np.arange(3)).ravel()
        J, u = here.jacobians[places], here.speeds[places]
        W, P = J @ here.K @ J.T, np.zeros(len(places))
        e = self.laws.ratios[chosen]
        # a contact at rest may be compressed by other approaches, by Poisson's ratio and in sequential impacts, which one of them makes all
        kinds = self.laws.kinds[chosen]
        given_back = np.where((kinds == NEWTON) & ~np.any(kinds == IN_TURN), approach, approach.min())
        if approach.min() >= -slow or np.all(-e * given_back <= STILL * self.speed):
            e = np.zeros(len(chosen))
        if spent is not None:
            e = np.where(spent[chosen], 0.0, e)
        begun, axes = clock.perf_counter(), self.laws.friction[chosen]
        error, sweeps = impact(
            W, u + J @ pushed, u, self.laws.kinds[chosen], e, axes, P, (IMPACT_RESIDUAL, IMPACT_SWEEPS)
        )
        added = 0.0 if given is None else 0.5 * abs(float(given @ pushed))
        stuck = jammed_contact(W, u + J @ pushed, axes, P, self.speed, self.energy + added)
        if stuck >= 0:
            self.jammed = self.names[chosen[stuck]]
        more = surplus(J, here.K, P.reshape(-1, 3), axes)
        self._solved.append((error, sweeps, len(chosen), clock.perf_counter() - begun, more))
        every = np.zeros(len(here.speeds))
        every[places] = P
        return v + pushed + here.K @ (J.T @ P), every

    def catch_slow_parting(
        self, here: Contacts, v: np.ndarray, slow: float, hit: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Velocities and impulses (3 m,) that close contacts which separate slower than ``slow`` [m/s] while forces press them shut.

        Contacts that were ``hit`` (m,) at this instant are left alone. A block that rocks from edge to edge makes infinitely many hits
        in almost no time; they end with all contacts closed. None if there are no such contacts. None also if closing them takes larger
        impulses than such slow hits can give, for example if two of them separate in nearly the same direction.
        """
        u, touched = here.speeds.reshape(-1, 3), self.closed_gaps(here)
        parting = touched & ~hit & (u[:, 0] > APPROACH_ROUND_OFF * self.speed) & (u[:, 0] <= slow)
        if not parting.any():
            return None
        force = self.forces(here)[0]
        coming = here.jacobians[::3] @ (here.rates + here.K @ (here.jacobians.T @ force)) + here.biases[::3]
        held = (touched & (force[::3] > 0.0)) | (parting & (coming < 0.0))
        if not np.any(held & parting):
            return None
        resting = held & (self.laws.friction[:, 0] > 0.0) & (np.hypot(u[:, 1], u[:, 2]) <= slow)
        rows = np.concatenate([3 * np.flatnonzero(held), *(3 * np.flatnonzero(resting) + k for k in (1, 2))])
        P = removing_impulses(here, rows, here.speeds)
        if np.any(steepness(here) ** 2 * P[::3] < -IMPACTS_LUMPED * slow):
            return None
        return v + here.K @ (here.jacobians.T @ P), P

    def contact_solver(self, t: float) -> ContactSolver:
        """Statistics of the contact solver for the impacts since the last call, all of them at the instant t."""
        rows, self._solved = np.array(self._solved).reshape(-1, 5), []
        residual, sweeps, contacts, seconds, more = rows.T.copy()
        none = np.zeros(len(rows))
        residual_work = np.full(len(rows), np.nan)
        return ContactSolver(
            np.full(len(rows), t), residual, sweeps, contacts, none, none, seconds, more, residual_work, none
        )

    def unresolved_speeds(self, here: Contacts) -> np.ndarray:
        """Separation velocities (m,) [m/s] that count as rest after time stepping.

        They are what forces on one side alone produce in a few time steps, since bodies that fall together do not stop in the same step.
        """
        terms = np.abs(here.jacobians[::3]) @ np.abs(here.rates) + np.abs(here.biases[::3])
        return UNRESOLVED_STEPS * self.steps * terms

    def unseen_speed(self, t: float, here: Contacts, state: np.ndarray) -> float:
        """Speed [m/s] of the highest bounce that cannot be resolved.

        Round-off of the coordinates in the gap hides such a bounce, so that its end would be missed, or the time steps do not resolve
        it.
        """
        touched = np.flatnonzero(self.closed_gaps(here))
        pressed = (here.jacobians @ here.rates + here.biases)[::3][touched]
        if not np.any(pressed < 0.0):
            return 0.0
        nq = self.model.nq
        moved = np.repeat(state[None], nq, axis=0)
        moved[:, :nq] += ROUND_OFF_SHIFT * np.diag(state[:nq])
        gaps = self.gaps(np.full(nq, t), moved)[:, touched]
        height = HIDDEN / ROUND_OFF_SHIFT * np.abs(gaps - here.gaps[touched]).sum(axis=0)
        hidden = np.sqrt(2.0 * np.maximum(-pressed, 0.0) * height)
        return float(np.maximum(hidden, self.unresolved_speeds(here)[touched]).max())

    def pressing(self, here: Contacts) -> dict[str, str]:
        """The active set: unilateral constraints that are closed, stay closed and exert a force, each with its status (sliding or
        sticking).
        """
        force, slipping = self.forces(here)
        terms = np.abs(here.jacobians[::3]) @ np.abs(here.rates) + np.abs(here.biases[::3])
        self._pulls = np.maximum(self._pulls, terms)  # the largest so far: all of them may vanish where a force ends
        eased = np.einsum("ij,jk,ik->i", here.jacobians[::3], here.K, here.jacobians[::3])
        still, carried = self._carried_along(here, force, slipping)
        found, idle = {}, []
        for c, name in enumerate(self.names):
            normal, along = force[3 * c], force[3 * c + 1 : 3 * c + 3]
            if normal <= PRESSING * np.abs(force).max(initial=0.0) or normal * eased[c] <= PRESSING * self._pulls[c]:
                continue
            status = SLIDES
            if self.laws.friction[c, 0] > 0.0 and not slipping[c]:
                axes = self.laws.friction[c] * normal
                used = ((along / axes) ** 2).sum()
                lasts = still[c] and used <= 1.0 + GRIPS_UP_TO
                status = STICKS if used < 1.0 - STICKS_INSIDE or lasts or carried[c] else SLIDES
                if status == STICKS and normal <= HOLDS_NOTHING * np.abs(force).max():
                    idle.append(name)
            found[name] = status
        # A contact that bears almost no load holds nothing: it slips as soon as any contact at its friction limit does.
        if any(status == SLIDES for status in found.values()):
            found |= dict.fromkeys(idle, SLIDES)
        return found

    def _carried_along(self, here: Contacts, force: np.ndarray, slipping: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which unilateral constraints (m,) do not begin to slip although another one slips, and although another one begins to.

        A block that rides on a sliding one of the same roughness needs all its friction, and stays. If the load distribution is not unique,
        the friction of one contact may be at its limit only because the friction of others is.
        """
        free = (here.jacobians @ here.rates + here.biases).reshape(-1, 3)[:, 1:]
        made = (here.jacobians @ (here.K @ (here.jacobians.T @ force))).reshape(-1, 3)[:, 1:]
        size = np.linalg.norm(np.concatenate([free, made]), axis=1).max(initial=0.0)
        still = np.linalg.norm(free + made, axis=1) <= BARELY * size
        begins = (force[::3] > 0.0) & (self.laws.friction[:, 0] > 0.0) & ~slipping & ~still
        still = still & ~slipping
        return still & bool(slipping.any()), still & bool(begins.any())

    def forces(self, here: Contacts) -> tuple[np.ndarray, np.ndarray]:
        """Reactions (3 m,) of the contacts that are closed and stay closed, and which contacts slip (m,).

        For contacts with zero normal velocity, forces and accelerations obey the same law as impulses and velocities. If the forces are
        not unique, these are the ones farthest inside their friction cones. The beginning of a phase asks for them several times, and
        they take long where many contacts share a load.
        """
        key = f"{id(here)} {self.still!r} {self.speed!r} {self.size!r} {self.held.tobytes().hex()}"
        known = self._forces.get(key) or self._forces.keep(key, (here, *self._solved_forces(here)))
        return known[1].copy(), known[2].copy()

    def _solved_forces(self, here: Contacts) -> tuple[np.ndarray, np.ndarray]:
        u, every = here.speeds.reshape(-1, 3), np.zeros(len(here.speeds))
        slipping = (self.laws.friction[:, 0] >= 0.0) & (np.hypot(u[:, 1], u[:, 2]) > self.still)
        per_pressure = drags(self.laws.friction, here, slipping)
        chosen = np.flatnonzero(self.closed_gaps(here) & (np.abs(u[:, 0]) <= STILL * self.speed))
        if not len(chosen):
            return every, slipping
        places = (3 * chosen[:, None] + np.arange(3)).ravel()
        J = here.jacobians[places]
        W, free = J @ here.K @ J.T, J @ here.rates + here.biases[places]
        friction = np.where(slipping[:, None], -1.0, self.laws.friction)[chosen]
        for k, drag in enumerate(per_pressure[chosen]):
            W[:, 3 * k] -= W[:, 3 * k + 1 : 3 * k + 3] @ drag
        force, nothing = np.zeros(len(places)), np.zeros(len(chosen))
        impulses(W, free, nothing, nothing, friction, force, IMPACT_RESIDUAL, IMPACT_SWEEPS)
        force.reshape(-1, 3)[:, 1:] -= per_pressure[chosen] * force[::3, None]
        every[places] = force
        shares = self.shares(here, np.flatnonzero(every[::3] > PRESSING * np.abs(every).max()), slipping)
        if not len(shares.shared) or not shares.balanced:
            return every, slipping
        best = shares.best(shares.shared)
        return (shares.every(best) if shares.room(best, shares.shared) >= -AT_LIMIT else every), slipping

    def shares(self, here: Contacts, pressing: np.ndarray, slipping: np.ndarray) -> Shares:
        """The set of forces that keep the ``pressing`` contacts closed, and at rest those of them that are not ``slipping`` (m,)."""
        return shares_of(here, pressing, self.laws.friction, slipping, drags(self.laws.friction, here, slipping))


def strength(touching: Touching, t: float, state: np.ndarray) -> float:
    """Largest sum of the magnitudes of accelerations that cancel at a state: those without contacts, and those of each reaction."""
    here = touching.at(t, state[: touching.model.nq + touching.model.nv])
    each = here.K @ (here.jacobians.T * touching.forces(here)[0])
    return float((np.abs(here.rates) + np.abs(each).sum(axis=1)).max(initial=0.0))


def steepness(here: Contacts) -> np.ndarray:
    """Norms (m,) of the gap gradients in the kinetic metric."""
    normal = here.jacobians[::3]
    return np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", normal, here.K, normal), 0.0))


def drags(friction: np.ndarray, here: Contacts, slipping: np.ndarray) -> np.ndarray:
    """Friction force (m, 2) against the slip of each unilateral constraint per unit normal force; zero for those that do not slip."""
    slips, axes = here.speeds.reshape(-1, 3)[:, 1:], friction
    size = np.hypot(*(axes * slips).T)
    drags = axes**2 * slips / np.where(size > 0.0, size, 1.0)[:, None]
    return np.where((slipping & (axes[:, 0] > 0.0))[:, None], drags, 0.0)


def least_change(here: Contacts, rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Velocity change (nv,) that removes the ``values`` of some rows; it is the smallest one in the metric of the kinetic energy."""
    return here.K @ (here.jacobians.T @ removing_impulses(here, rows, values))


def removing_impulses(here: Contacts, rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Impulses (3 m,) along some rows that remove their ``values``, with the smallest kinetic energy of the velocity change."""
    J, P = here.jacobians[rows], np.zeros(len(here.speeds))
    P[rows] = np.linalg.lstsq(J @ here.K @ J.T, -values[rows], rcond=DEPENDENT_ROWS)[0]
    return P


def check_apart(model: Model, t: float, state: np.ndarray, values: np.ndarray) -> None:
    """Refuse a start on the wrong side of a unilateral constraint."""
    if not model.layout.unilaterals:
        return
    touching = Touching(model, values)
    gaps = touching.at(t, state).gaps
    lost = ~np.isfinite(gaps)
    if lost.any():
        raise StartError(
            f"system '{model.name}': the gap of unilateral constraint '{touching.names[int(np.argmax(lost))]}' is {gaps[lost][0]} "
            f"at the start; "
            "start where it is finite"
        )
    if np.any(gaps < -START_INSIDE * max(LEAST_SYSTEM_SIZE, touching.size)):
        worst = int(np.argmin(gaps))
        raise StartError(
            f"system '{model.name}': the gap of unilateral constraint '{touching.names[worst]}' is {gaps[worst]:.3g} at the "
            f"start, on the wrong "
            "side; start where no gap is negative, or let resolve=True move the coordinates as little as needed"
        )


def impulses_to_rest(names: Sequence[str], here: Contacts, closed: Mapping[str, str]) -> np.ndarray:
    """Impulses (3 m,) that remove the remaining velocities of contacts after an impact.

    They stop the separation of ``closed`` contacts and the slips of sticking ones, both of which count as zero. A phase begins with
    these velocities exactly zero, and only impulses change velocities.
    """
    status = [closed.get(name) for name in names]
    held, stuck = ([c for c, one in enumerate(status) if one in which] for which in ((SLIDES, STICKS), (STICKS,)))
    rows = np.array([3 * c for c in held] + [3 * c + k for c in stuck for k in (1, 2)], dtype=int)
    return removing_impulses(here, rows, here.speeds)
