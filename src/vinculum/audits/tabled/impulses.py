"""Applied impulses on a motion of tables: what they change, and whether they are those that were described."""

import numpy as np

from vinculum.audits.balances.jumps import Jumps
from vinculum.audits.balances.quantities import samples
from vinculum.audits.by_type import Sides
from vinculum.audits.certificate import Line
from vinculum.audits.scaling.scales import finite, instant_limit
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.tabled.condition_impulses import impulses_of_conditions
from vinculum.models.tabled.projection import velocities_after
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.chart_changes import stretch_at
from vinculum.motion.record import Record
from vinculum.motion.states import parameters_at, recorded_states, tape_rows
from vinculum.tolerances.certificates import GIVEN_AS_SAID, IMPULSES_SOLVED
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.time import SAME_INSTANT


def sides_of_impulses(motion: Record, answered: np.ndarray | float = 0.0) -> Sides | None:
    """Both sides of all applied impulses. A motion does not contain the state before one at its very beginning, which follows from it.
    ``answered`` (K, nv): what contacts that answer change."""
    atoms, model = motion.atoms, motion.model
    if not model.layout.impulses or atoms is None or atoms.given is None:
        return None
    left, right = (
        recorded_states(motion, atoms.times, motion.pieces.state(atoms.times, side=side)) for side in ("left", "right")
    )
    first = np.flatnonzero(atoms.times <= motion.pieces.begin)
    changed = after_impulses(motion, atoms.times, right, atoms.given) + answered - right[:, model.nq :]
    left[first, model.nq :] -= changed[first]
    return Sides(atoms.times, left, right, atoms.given)


def after_impulses(motion: Record, times: np.ndarray, states: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Velocities (K, nv) after impulses, from the states before them."""
    return velocities_after(motion.model, tabled_in(motion.model), states, times, parameters_at(motion, times), given)


def impulses_of_constraints(motion: Record) -> tuple[np.ndarray, dict[str, np.ndarray]] | None:
    """Instants (K,) of applied impulses and the multipliers (K, rows) of every constraint in them, by name; None without any."""
    sides, model = sides_of_impulses(motion), motion.model
    if sides is None:
        return None
    values = parameters_at(motion, sides.times)
    found = impulses_of_conditions(model, tabled_in(model), sides.left, sides.times, values, sides.given)
    names = np.array([name for name, _ in model.layout.gaps], dtype=object)
    return sides.times, {name: found[:, names == name] for name in model.layout.constraints}


def jumps_of_tables(motion: Record) -> Jumps | None:
    """Changes of all balanced quantities at the instants of applied impulses; None without any."""
    sides = sides_of_impulses(motion)
    if sides is None:
        return None
    nq, places = motion.model.nq, np.searchsorted(np.asarray(motion.pieces.times), sides.times)
    stretch = stretch_at(motion.changes, sides.times, "left")
    after = np.concatenate([sides.left[:, :nq], after_impulses(motion, sides.times, sides.left, sides.given)], axis=1)
    start, end = (samples(motion, sides.times, states, stretch).L for states in (sides.left, after))
    changes, later = end - start, places > 0
    none = np.zeros(changes.shape[1])
    rounded = ROUND_OFF * (np.abs(start) + np.abs(end)).sum(axis=0)
    return Jumps(places[later], changes[later], places[:0], changes[:0], none, np.abs(changes).max(axis=0, initial=0.0),
                 np.abs(changes).sum(axis=0), rounded, 0.0)  # fmt: skip


def impulse_lines(motion: Record, answered: np.ndarray | float = 0.0) -> list[Line]:
    """Applied impulses against their description, and the velocities after them against those that follow; no lines without any.
    ``answered`` (K, nv): what contacts that answer change."""
    entries, sides, nq = motion.model.layout.impulses, sides_of_impulses(motion, answered), motion.model.nq
    if not entries:
        return []
    times = np.zeros(0) if sides is None else sides.times
    near = SAME_INSTANT * max(abs(motion.pieces.begin), abs(motion.pieces.end))
    due = [(name, at) for name, entry in entries.items() for at in entry.at if at < motion.pieces.end - near]
    missing = [(name, at) for name, at in due if not np.any(np.abs(times - at) <= near)]
    worst, apart, work = float(bool(missing)), 0.0, 0.0
    if sides is not None and len(times):
        said = evaluate_groups(motion.model.tape("impulses"), tape_rows(motion, times, sides.left))
        described = np.zeros_like(sides.given)
        for name, at in due:
            described[np.abs(times - at) <= near] += said[f"{name}/along"][np.abs(times - at) <= near]
        size = np.maximum(np.abs(described).max(), np.abs(sides.given).max())
        worst = max(worst, float(finite(sides.given - described).max() / max(size, np.finfo(float).tiny)))
        after, v, right = (
            after_impulses(motion, times, sides.left, sides.given) + answered,
            sides.left[:, nq:],
            sides.right[:, nq:],
        )
        alone = float(np.abs(after - answered).max())
        scale = max(float(np.abs(v).max()), float(np.abs(after).max()), alone, np.finfo(float).tiny)
        apart = float(finite(right - after).max()) / scale
        work = 0.5 * float(np.einsum("ki,ki->", sides.given, v + right))
    told = f"'{missing[0][0]}' at t = {missing[0][1]:.9g} s is missing" if missing else ""
    reason = f"{len(due)} described; they do {work:.6g} J of work"
    admitted = [instant_limit(motion, limit) for limit in (GIVEN_AS_SAID, IMPULSES_SOLVED)]
    return [
        Line("impulses as given", worst, admitted[0], reason, told),
        Line("velocities after impulses", apart, admitted[1], "M⁻¹ times the impulses and reactions"),
    ]
