"""`integrate_perturbed`: motions of H = A + εB by splitting, where the motion of A is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.tape import Tape
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.width import WIDTH
from vinculum.errors import MethodError, shorten
from vinculum.geometry.hamiltonian.classes import random_rows
from vinculum.geometry.hamiltonian.functions import space_tape
from vinculum.geometry.hamiltonian.motion import PhaseMotion
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.starts import Starts, lane_inputs, share_lanes, starts_of
from vinculum.geometry.hamiltonian.symplectic.coefficients import PERTURBED, perturbed_lengths
from vinculum.geometry.hamiltonian.symplectic.integrate_steps import motion_of, planned_steps
from vinculum.geometry.hamiltonian.symplectic.perturbed_lanes import Bodies, Linear, Solver, perturbed_steps
from vinculum.geometry.hamiltonian.symplectic.solved_parts import MainFlow, SolvedPart
from vinculum.geometry.hamiltonian.symplectic.universal import kepler_tapes
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.geometry.hamiltonian.walls import check_unbounded
from vinculum.scalars import gradient, substitute
from vinculum.systems import nearest
from vinculum.tolerances.functions import VANISHED
from vinculum.tolerances.samples import METRIC_TRIES
from vinculum.tolerances.sizes import KEPT_SPLITTINGS


def integrate_perturbed(hamiltonian: Hamiltonian, solved: Sequence[SolvedPart], until: float, q, p, *, step: float,
                        order: tuple[int, int, int] = (8, 6, 4), begin: float = 0.0, every: int = 1,
                        parameters: Mapping[str, float] | None = None) -> PhaseMotion:  # fmt: skip
    r"""The motion from coordinates ``q`` and momenta ``p`` by splitting H into a part whose motion is known and kicks.

    .. math:: H = A(q, p) + \varepsilon\,B(q, t),\qquad
              e^{a_1 h A}\,e^{b_1 h\varepsilon B}\,e^{a_2 h A}\cdots e^{b_s h\varepsilon B}\,e^{a_{s+1} h A}

    ``solved``: the parts of A, each a `Kepler` motion or a `Quadratic` form; what is left of H must not depend on momenta. ``order``
    (a, b, c): the error of a step h is of the size ε hᵃ + ε² hᵇ + ε³ hᶜ, for (8, 4, 4), (8, 6, 4) or (10, 6, 4). Steps may be as long as
    a tenth of the shortest period if ε is small. The other arguments are those of `integrate`. Wisdom and Holman, Astron. J. 102 (1991)
    1528; Blanes and others, Appl. Numer. Math. 68 (2013) 58.
    """
    orders = list(PERTURBED)
    chosen: Any = tuple(order) if isinstance(order, (tuple, list)) else ()
    if chosen not in orders:
        raise MethodError(
            f"integrate_perturbed: order is {shorten(order)}; choose one of {', '.join(map(str, orders))}"
        )
    plan, until = planned_steps("integrate_perturbed", begin, until, step, every)
    starts = starts_of(hamiltonian, q, p, plan.t, parameters)
    check_unbounded(starts.space, "a symplectic method")
    space = starts.space
    split = _splitting(space, _check_parts(space, solved))
    _check_momenta(split.rest, starts, plan.t)
    flow, kick = split.flow, compile_tape(split.kick)
    flows, kicks = perturbed_lengths(chosen)
    flows = np.append(flows, flows[0] + flows[-1])
    linear = _linear(flow, flows * plan.h)
    begin_code, improve, finish = (compile_tape(one) for one in kepler_tapes())
    count, n = len(starts.states), space.n
    found = np.full((count, plan.steps // plan.every, 2 * n), np.nan)

    def job(first: int, last: int) -> None:
        x = lane_inputs(kick.tape.n_in, starts.states[first:last], 2 * n + 1, starts.values)
        u, found_rows, improved, added = (np.zeros((rows, WIDTH)) for rows in (16, 8, 4, 7))
        frozen = np.zeros(WIDTH, dtype=np.bool_)
        solver = Solver(
            begin_code.lanes, improve.lanes, finish.lanes, kick.lanes, u, found_rows, improved, added, frozen
        )
        states = np.empty((plan.steps // plan.every, 2 * n, WIDTH))
        bodies = _bodies(flow, last - first)
        taken = perturbed_steps(solver, bodies, linear, x, (n, last - first), plan, (flows, kicks), states)
        found[first:last, :taken] = np.moveaxis(states[:taken, :, : last - first], 2, 0)

    share_lanes(count, job)
    return motion_of(hamiltonian, starts, plan, until, found, f"splitting of order {chosen} about a solved part")


@final
@dataclass(frozen=True, eq=False)
class Splitting:
    """``flow``: the solved parts; ``kick``: −∂(H − A)/∂q; ``rest``: ∂(H − A)/∂p, which must vanish, and ∂H/∂p."""

    flow: MainFlow
    kick: Tape
    rest: Tape


_known: "WeakKeyDictionary[PhaseSpace, dict[tuple, Splitting]]" = WeakKeyDictionary()
"""Splittings of phase spaces by their solved parts: tracing takes longer than a thousand steps."""


def _check_parts(space: PhaseSpace, solved: Any) -> list[SolvedPart]:
    if isinstance(solved, SolvedPart) or not isinstance(solved, Sequence) or not solved:
        raise MethodError(
            f"{space.where}: solved is {shorten(solved)}; give a list of parts, as [vc.hamiltonian.Kepler(['x', 'y', 'z'], 1.0, 1.0)]"
        )
    if len(space.constraints):
        raise MethodError(f"{space.where} has constraints, which kicks do not keep; use coordinates that satisfy them")
    taken = set()
    for part in solved:
        if not isinstance(part, SolvedPart):
            raise MethodError(
                f"{space.where}: solved has {shorten(part)}; give vc.hamiltonian.Kepler and Quadratic parts"
            )
        for name in part.coordinates:
            if name not in space.coordinates:
                raise MethodError(
                    f"{space.where}: there is no coordinate '{name}'{nearest(name, space.coordinates)} for a solved part"
                )
            if name in taken:
                raise MethodError(
                    f"{space.where}: coordinate '{name}' is in two solved parts; give each to one of them"
                )
            taken.add(name)
    return list(solved)


def _splitting(space: PhaseSpace, solved: list[SolvedPart]) -> Splitting:
    """The solved parts and the rest, traced once."""
    known = _known.setdefault(space, {})
    key = tuple(part.key for part in solved)
    if key not in known:
        if len(known) >= KEPT_SPLITTINGS:
            known.clear()
        known[key] = _traced_splitting(space, solved)
    return known[key]


def _traced_splitting(space: PhaseSpace, solved: list[SolvedPart]) -> Splitting:
    n, flow, energy = space.n, MainFlow(space.n), 0.0
    for part in solved:
        places = [space.coordinates.index(name) for name in part.coordinates]
        part.join(flow, places)
        energy = energy + part.energy(space.q[places], space.p[places])
    own = np.asarray(gradient(energy, space.x), dtype=object)
    field = space.explicit(space.field)
    kick = substitute(field[n:] + own[:n], space.p, np.zeros(n))
    rest = {"left": field[:n] - own[n:], "whole": field[:n]}
    return Splitting(flow, space_tape(space, {"rates": kick}), space_tape(space, rest))


def _check_momenta(rest: Tape, starts: Starts, t: float) -> None:
    """Refuse solved parts that leave momenta in H − A.

    At random states each velocity is compared with its own size there, whatever the masses of the others are; at the starts, where momenta
    have the size that they have in the run, with the largest.
    """
    space, states = starts.space, starts.states[:METRIC_TRIES]
    n, rows = space.n, random_rows(space, METRIC_TRIES, 13)
    rows = np.concatenate([rows, np.zeros((len(states), rows.shape[1]))])
    rows[METRIC_TRIES:, : 2 * n], rows[METRIC_TRIES:, 2 * n] = states, t
    rows[:, 2 * n + 1 :] = starts.values
    with np.errstate(all="ignore"):
        found = evaluate(rest, rows)
    left, whole = found[:, :n], found[:, n:]
    finite = np.all(np.isfinite(found), axis=1, keepdims=True)[:, 0]
    if not finite[:METRIC_TRIES].any():
        raise MethodError(f"{space.where}: its velocities are not finite at random states; look at the formula")
    left, sizes = np.where(finite[:, None], np.abs(left), 0.0), np.maximum(np.abs(whole), np.abs(whole - left))
    sizes[~finite] = 0.0
    sizes[:METRIC_TRIES] = sizes[:METRIC_TRIES].max(axis=0)
    sizes[METRIC_TRIES:] = sizes[METRIC_TRIES:].max(axis=1, keepdims=True)
    over = left > VANISHED * sizes
    if over.any():
        i, k = (int(x[0]) for x in np.nonzero(over))
        where = "a random state" if i < METRIC_TRIES else "the start"
        raise MethodError(
            f"{space.where}: less its solved parts it depends on {space.momenta[k]} (∂/∂{space.momenta[k]} is {left[i, k]:.3g} at "
            f"{where}); solved parts must hold all of the kinetic energy, with the same masses: look at them, or use "
            "integrate(method='gauss')"
        )


def _linear(flow: MainFlow, lengths: np.ndarray) -> Linear:
    """Matrices exp(τ J S) − 1; where (J S)² vanishes, as for free bodies, they are τ J S itself."""
    from scipy.linalg import expm

    n = flow.n
    rows = np.flatnonzero(np.any(flow.S != 0.0, axis=1))
    rows = np.unique(np.concatenate([rows % n, rows % n + n])) if len(rows) else rows
    J = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    A = (J @ flow.S)[np.ix_(rows, rows)]
    change = lengths[:, None, None] * A
    if np.any(A @ A):
        size, none = np.eye(len(A)), np.zeros((len(A), 2 * len(A)))
        for k, tau in enumerate(lengths):
            change[k] = tau * A @ expm(np.block([[tau * A, size], [none]]))[: len(A), len(A) :]
    return Linear(rows.astype(np.int64), change)


def _bodies(flow: MainFlow, runs: int) -> Bodies:
    """Kepler motions of all bodies and runs, eight to a group."""
    pairs = [(b, run) for b in range(len(flow.bodies)) for run in range(runs)]
    groups = -(-len(pairs) // WIDTH)
    filled = np.array([min(WIDTH, len(pairs) - WIDTH * g) for g in range(groups)], dtype=np.int64)
    padded = pairs + pairs[-1:] * (WIDTH * groups - len(pairs))
    lanes = np.array(padded, dtype=np.int64).reshape(groups, WIDTH, 2)
    q = np.array([places for places, _, _ in flow.bodies], dtype=np.int64).reshape(-1, 3)
    mass, mu = (np.array([body[k] for body in flow.bodies]) for k in (1, 2))
    return Bodies(q, mass, mu, np.ascontiguousarray(lanes[:, :, 0]), np.ascontiguousarray(lanes[:, :, 1]), filled)
