"""The balanced quantities of a system, their rates, and the scales of their round-off."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import final

import numpy as np

from vinculum.audits.balances.constraint_energy import constraint_offsets, constraint_samples
from vinculum.audits.by_type import BALANCES
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model import Model
from vinculum.motion.chart_changes import jumps, stretch_at
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows
from vinculum.tolerances.rank import NEARLY_SINGULAR
from vinculum.tolerances.sizes import SAMPLES_AT_ONCE

ENERGY, KINETIC, FIRST_BODY = 0, 1, 2
PARTS = (slice(0, 3), slice(3, 6), slice(6, 9))
"""Momentum, angular momentum at the mass center, and mass times mass center, of a body or the system."""


@final
@dataclass(frozen=True, eq=False)
class Samples:
    """Quantities L, their rates R, the sizes of the terms in both, and ``extent``, from which their scales follow; (B, m) each.

    The order: T + U; T; for every body and then for the system its momentum, its angular momentum reduced at the
    mass center, and mass times mass center; the coordinates; the quantities of `constraint_samples` if there are constraints. ``defects``
    (B, ·) are the chart defects.
    """

    L: np.ndarray
    R: np.ndarray
    L_size: np.ndarray
    R_size: np.ndarray
    extent: np.ndarray
    defects: np.ndarray


def first_of_body(index: int) -> int:
    """Index of the first quantity of a body. The system comes after the last body."""
    return FIRST_BODY + 9 * index


def first_coordinate(model: Model) -> int:
    """Index of the first coordinate."""
    return first_of_body(len(model.layout.bodies) + 1)


def energies(model: Model) -> list[int]:
    """Index of T + U + E[M], if there are constraints."""
    return [first_coordinate(model) + model.nq] * bool(model.layout.constraints)


def has_offset(model: Model) -> np.ndarray:
    """Whether only changes of a quantity are meaningful, (m,): energies and positions have an arbitrary origin, masses
    and multipliers do not."""
    bodies = np.tile([False] * 6 + [True] * 3, len(model.layout.bodies) + 1)
    own = sum(last - first for first, last in (entry.mu for entry in model.layout.constraints.values()))
    places = np.arange(model.nq) < model.nq - own - len(model.layout.masses)
    return np.concatenate([[True, False], bodies, places, constraint_offsets(model)])


def samples(motion: Record, time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None = None) -> Samples:
    """The balanced quantities at given states. Jumps of the coordinates at changes of charts are subtracted.

    ``stretch``: the number of chart changes before each state, by default those up to its instant.
    """
    stretch = stretch_at(motion.changes, time) if stretch is None else stretch
    found: list[np.ndarray] = []
    for some, part in sample_parts(motion, time, states, stretch):
        if len(part.L) == len(time):
            return part
        values = [getattr(part, one.name) for one in fields(part)]
        found = found or [np.empty((len(time), x.shape[1])) for x in values]
        for whole, x in zip(found, values, strict=True):
            whole[some] = x
    return Samples(*found)


def sample_parts(
    motion: Record, time: np.ndarray, states: np.ndarray, stretch: np.ndarray
) -> Iterator[tuple[slice, Samples]]:
    """The same for some rows after the others, with the place of these rows: those of many states take more memory than all else."""
    rows, count = tape_rows(motion, time, states, stretch), len(time)
    balance = evaluate_groups(motion.model.tape("balance"), rows, again=True)
    rates = evaluate_groups(motion.model.tape("rates"), rows, again=True)
    size = max(1, SAMPLES_AT_ONCE // max(1, sum(x.shape[1] for x in balance.values())))
    for begin in range(0, max(count, 1), size):  # of no rows there is one empty part
        some = slice(begin, min(begin + size, count))
        yield some, _samples_of(motion, time[some], states[some], stretch[some], rows[some],
                                {name: x[some] for name, x in balance.items()}, {name: x[some] for name, x in rates.items()})  # fmt: skip


def _samples_of(
    motion: Record,
    time: np.ndarray,
    states: np.ndarray,
    stretch: np.ndarray,
    rows: np.ndarray,
    balance: dict[str, np.ndarray],
    rates: dict[str, np.ndarray],
) -> Samples:
    """The balanced quantities at some states from the outputs of their tapes there."""
    count = len(time)
    T, U, size_U, work = (balance[k] for k in ("kinetic", "potential", "potential_size", "work"))
    power, power_size = (
        balance["power"] + balance["dissipation"],
        np.abs(balance["power"])
        + np.abs(balance["dissipation"])
        + balance["drive_power_size"].sum(axis=1, keepdims=True)
        + balance["varied_size"],
    )
    L, R, L_size, R_size = (x.reshape(count, x.shape[1] * x.shape[2]) for x in _bodies_and_system(balance, count))
    parameters = rows[:, motion.model.nq + motion.model.nv + 1 :]
    condition = motion.model.type.growth_of_round_off(motion.model, states, time, parameters)
    R_size = _with_loops(R_size, condition)
    q, q_dot = states[:, : motion.model.nq], _with_multipliers(motion.model, rates["q_dot"], balance)
    path = q - jumps(motion.changes, stretch) if motion.changes else q
    held = constraint_samples(motion.model, balance, power_size, condition)
    return Samples(
        np.concatenate([T + U, T, L, path, held.L], axis=1),
        np.concatenate([power, power + work, R, q_dot, held.R], axis=1),
        np.concatenate([T + size_U, T, L_size, np.abs(q), held.L_size], axis=1),
        np.concatenate([power_size, power_size + balance["work_size"], R_size, _rate_sizes(q_dot, balance, condition),
                        held.R_size], axis=1),
        np.concatenate([U, T, BALANCES.of(motion.model).extent(L, balance), path, held.extent], axis=1),
        np.abs(rates["defects"]),
    )  # fmt: skip


def _with_multipliers(model: Model, q_dot: np.ndarray, balance: dict[str, np.ndarray]) -> np.ndarray:
    """q̇ (B, nq) with the rates of masses and multipliers that are part of the state."""
    if model.layout.masses:
        q_dot = q_dot.copy()
    for name, place in model.layout.masses.items():
        q_dot[:, place] = balance["mass_rate"][:, model.layout.bodies[name].index]
    if not balance["multiplier_rates"].shape[1]:
        return q_dot
    mu_dot = balance["multiplier_rates"]
    return np.concatenate([q_dot[:, : -mu_dot.shape[1]], mu_dot], axis=1)


def _rate_sizes(q_dot: np.ndarray, balance: dict[str, np.ndarray], condition: np.ndarray) -> np.ndarray:
    """Sizes of the terms in q̇, (B, nq). Rates of multipliers are differences of all forces, whose sizes are added."""
    sizes, own = _near_singular(condition) * np.abs(q_dot), balance["multiplier_rates"].shape[1]
    if own:
        sizes[:, -own:] += condition * balance["multiplier_rate_size"]
    return sizes


def _bodies_and_system(balance: dict[str, np.ndarray], count: int) -> tuple[np.ndarray, ...]:
    """L, R and their sizes (B, bodies + 1, 9), the system last.

    p' = f and s' = m hold with moments s and m reduced at the moving mass center, and (M c)' = p; together they are the
    balance of the momentum screw at any fixed point. The system's moments use momenta and forces relative to those of the
    mass center. So they do not contain its speed, because Σ m (c − C) = 0.
    """
    momentum, wrench, f_size, c = (
        balance[name].reshape(count, balance[name].shape[1] // n, n)
        for name, n in (("momentum", 6), ("wrench", 6), ("wrench_size", 6), ("center", 3))
    )
    mass, reach = balance["mass"][:, :, None], balance["reach"][:, :, None]
    p, f = momentum[..., :3], wrench[..., :3]
    carried = balance["center_momentum"].reshape(p.shape) if "center_momentum" in balance else p
    gained = balance["mass_rate"][:, :, None] if "mass_rate" in balance else np.zeros((1, 1, 1))
    L = np.concatenate([momentum, mass * c], axis=2)
    R = np.concatenate([wrench, carried + gained * c], axis=2)
    p_size, s_size = (np.broadcast_to(_lengths(x), p.shape) for x in (p, momentum[..., 3:]))
    L_size = np.concatenate([p_size, s_size, np.broadcast_to(mass * reach, p.shape)], axis=2)
    R_size = np.concatenate([f_size, p_size + np.abs(gained) * _lengths(c)], axis=2)
    whole = [_sums(x) for x in (L, R, L_size, R_size)]
    total = mass.sum(axis=1, keepdims=True)
    share = mass / np.where(total > 0.0, total, 1.0)
    arm = c - _sums(share * c)
    if carried is not p:
        # Σ ċ × p − Ċ × P, which vanishes where momenta are masses times velocities of mass centers
        fast = np.divide(carried, mass, out=np.zeros_like(carried), where=mass > 0.0)  # a massless body carries none
        whole_fast = _sums(share * fast) + _sums(gained * arm) / total
        whole[1][..., 3:6] += _sums(np.cross(fast, p) - np.cross(whole_fast, p))
    for k, vectors, sizes in ((0, p, p_size), (1, f, f_size[..., :3])):
        relative = vectors - share * whole[k][..., :3]
        whole[k][..., 3:6] += _sums(np.cross(arm, relative))
        both = reach * _lengths(relative) + _lengths(arm) * sizes
        whole[k + 2][..., 3:6] += _sums(both)
    return tuple(np.concatenate(pair, axis=1) for pair in zip((L, R, L_size, R_size), whole, strict=True))


def _with_loops(R_size: np.ndarray, condition: np.ndarray) -> np.ndarray:
    """Sizes of rates (B, m), increased by the condition number (B, 1) of the loops, which share the round-off of all their forces."""
    parts = R_size.reshape(len(R_size), R_size.shape[1] // 9, 9)
    shared = (condition[:, :, None] - 1.0) * parts[:, -1:, :6]
    moving = parts[..., 6:] * _near_singular(condition)[:, :, None]
    return np.concatenate([parts[..., :6] + shared, moving], axis=2).reshape(R_size.shape)


def _near_singular(condition: np.ndarray) -> np.ndarray:
    """Factor by which round-off grows in velocities. It is noticeable only near a singular position."""
    return np.where(condition > NEARLY_SINGULAR, condition, 1.0)


def _lengths(x: np.ndarray) -> np.ndarray:
    """|x| + |y| + |z| of vectors (..., 3), with a last axis of one; NumPy's own sums are slow over short axes."""
    size = np.abs(x)
    return size[..., 0:1] + size[..., 1:2] + size[..., 2:3]


def _sums(x: np.ndarray) -> np.ndarray:
    """Sums (B, 1, n) over the bodies of (B, bodies, n)."""
    return np.ones((1, x.shape[1])) @ x
