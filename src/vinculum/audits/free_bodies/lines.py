"""The certificate of free bodies in contact."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.energy import energy_line, work_lines
from vinculum.audits.free_bodies.gaps import penetration_line
from vinculum.audits.free_bodies.given_impulses import free_bodies_impulse_lines
from vinculum.audits.free_bodies.hits import free_bodies_hit_lines
from vinculum.audits.free_bodies.laws import law_lines
from vinculum.audits.free_bodies.located_hits import located_hit_lines
from vinculum.audits.free_bodies.passages import body_passage_lines
from vinculum.audits.free_bodies.pressing import press_lines
from vinculum.audits.free_bodies.weak_lines import free_bodies_weak_lines
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_groups
from vinculum.tolerances.certificates import SHARP, VELOCITIES_FOLLOWED
from vinculum.tolerances.contact import OWN
from vinculum.tolerances.round_off import FEW_ROUND_OFFS
from vinculum.tolerances.samples import INSTANTS_OF_FREE_BODIES


def free_bodies_lines(motion: Record) -> list[Line]:
    """Lines for gaps, energies, impulses with their laws, and velocities as rates of positions."""
    time = motion.time[np.unique(np.linspace(0, len(motion.time) - 1, INSTANTS_OF_FREE_BODIES).astype(int))]
    states = states_at(motion, time)
    lines = [
        penetration_line(motion, time, states),
        *body_passage_lines(motion),
        energy_line(motion, time, states),
        *work_lines(motion),
        _places(motion),
        *free_bodies_impulse_lines(motion),
        *law_lines(motion),
        *free_bodies_hit_lines(motion),
        *located_hit_lines(motion),
        *press_lines(motion),
        *free_bodies_weak_lines(motion),
    ]
    if motion.contact_solver is not None:
        tolerance = motion.method.tolerance or 0.0
        lines.append(
            Line(
                "laws of contact and friction",
                float(motion.contact_solver.residual.max()),
                tolerance,
                "natural map of the impulses of every step",
                _uniqueness(motion.contact_solver),
            )
        )
        worst = float(motion.contact_solver.residual.max()) / OWN
        told = "" if tolerance / OWN <= SHARP else f"use tolerance={SHARP * OWN:.0e} or less"
        reason = "largest velocity by which a contact misses its law, relative to |g| h + |Δv| of its own bodies"
        lines.append(Line("contacts by their own scale", worst, tolerance / OWN, reason, told))
    return lines


def _uniqueness(contact_solver: ContactSolver) -> str:
    """Whether other impulses satisfy the laws too, as text; empty if they are unique."""
    many = int((contact_solver.surplus > 0).sum())
    if not many:
        return ""
    most = int(contact_solver.surplus.max())
    return (
        f"impulses are not unique in {many} of {len(contact_solver)} steps: up to {most} more than degrees of freedom"
    )


def _places(motion: Record) -> Line:
    """The difference between rates of coordinates and velocities, in the middle of some steps."""
    pieces = motion.pieces
    chosen = np.unique(np.linspace(0, len(pieces) - 1, INSTANTS_OF_FREE_BODIES).astype(int))
    edges = np.asarray(pieces.times)
    worst = size = 0.0
    for k in chosen:
        c, h = np.asarray(pieces.coefficients[k : k + 1])[0], float(edges[k + 1] - edges[k])
        if h <= 0.0:
            continue
        powers = (0.5 * h) ** np.arange(c.shape[1])
        rate = c[:, 1:] @ (np.arange(1, c.shape[1]) * powers[:-1])
        state = (c @ powers)[None]
        found = tape_groups(motion, "rates", edges[k : k + 1] + 0.5 * h, state)["q_dot"][0]
        off = np.abs(found - rate[: motion.model.nq]).reshape(-1, 7).max(axis=1)
        spin, turning = (x[motion.model.nq :].reshape(-1, 6)[:, 3:] for x in (state[0], rate))
        rounded = FEW_ROUND_OFFS * np.abs(state[0, : motion.model.nq]).reshape(-1, 7).max(axis=1) / h
        worst = max(worst, float(np.maximum(off - _chord_rate_error(h, spin, turning) - rounded, 0.0).max()))
        size = max(size, float(np.abs(found).max()))
    return Line(
        "velocities are rates of positions",
        worst / size if size > 0.0 else worst,
        VELOCITIES_FOLLOWED,
        "middles of some steps",
    )


def _chord_rate_error(h: float, spin: np.ndarray, turning: np.ndarray) -> np.ndarray:
    """The error of the slope of a chord over a time h as the rate of a quaternion Q in its middle, for every body.

    It is h²/24 times the third derivative of Q, which is at most 3/4 |ω| |α| + 1/8 |ω|³ for spins ω (n, 3) and their rates α.
    """
    w, a = (np.linalg.norm(x, axis=1) for x in (spin, turning))
    return h * h / 24.0 * (0.75 * w * a + 0.125 * w**3)
