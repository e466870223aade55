"""Blocks over tables next to the same blocks derived one by one from their own numbers."""

from collections.abc import Iterator, Mapping

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.equations.observables.accelerations import motion as rates_of_motion
from vinculum.models.tabled.blocks import block_alone
from vinculum.models.tabled.kinds import Kind, frames, is_hidden, kind_of
from vinculum.models.tabled.tabled import Tabled, bonded_deforming
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.record import Record
from vinculum.motion.states import states_at
from vinculum.systems import Tree
from vinculum.tolerances.certificates import BLOCKS_AS_DESCRIBED
from vinculum.tolerances.samples import INSTANTS_OF_BLOCKS, KINDS_DERIVED_AGAIN, ROWS_DERIVED_AGAIN

OUTPUTS = {"motion": rates_of_motion, "frames": frames}


def lines_against_description(motion: Record) -> list[Line]:
    """The line of blocks that are not those of the description. Right runs have no such line, since loaded ones cannot have it: they have
    the same certificate."""
    line = description_line(motion)
    return [] if line is None or line.verdict == "holds" else [line]


def description_line(motion: Record) -> Line | None:
    """The frames and rates of some blocks of each kind by its tape, with the numbers of their rows, and by equations of their own.

    Each block has wrenches on its bodies that are drawn at random, so that its accelerations are never the round-off of forces that
    balance. None if no kind has rows with different numbers, or if the description is not known, as in loaded runs.
    """
    tree, tabled = motion.model.tree, tabled_in(motion.model)
    chosen = [] if tree is None else list(_chosen_rows(tabled))
    if tree is None or not chosen:
        return None
    time = np.linspace(motion.pieces.begin, motion.pieces.end, INSTANTS_OF_BLOCKS)
    states = states_at(motion, time)
    given = dict(zip(motion.model.parameter_names, motion.values, strict=True))
    found = [(_difference(tree, tabled, kind, row, time, states, given), kind.bodies[row, 0]) for kind, row in chosen]
    worst, body = max(found, key=lambda one: one[0])
    detail = f"the block of '{tree.links[body].body.name}'" if worst > BLOCKS_AS_DESCRIBED else ""
    reason = f"{len(found)} blocks derived one by one; round-off between two derivations"
    return Line("blocks as described", worst, BLOCKS_AS_DESCRIBED, reason, detail)


def _chosen_rows(tabled: Tabled) -> Iterator[tuple[Kind, int]]:
    """Some rows of the largest kinds whose rows have different numbers, the last one included."""
    several = sorted((kind for kind in tabled.kinds if kind.numbers.size), key=len, reverse=True)
    for kind in several[:KINDS_DERIVED_AGAIN]:
        for row in np.unique(np.linspace(len(kind) // 2, len(kind) - 1, ROWS_DERIVED_AGAIN).astype(int)):
            yield kind, int(row)


def _difference(
    tree: Tree, tabled: Tabled, kind: Kind, row: int, time: np.ndarray, states: np.ndarray, given: Mapping[str, float]
) -> float:
    """The largest difference of frames and rates, relative to the largest number of its group."""
    conditioned = bool(tree.closures or tree.constraints)
    alone = kind_of(tree, block_alone(tree, kind.bodies[row]), OUTPUTS, conditioned, bonded_deforming(tree))
    state = [states[:, kind.q[row]], states[:, tabled.nq + kind.v[row]], time[:, None]]
    numbers = {f"~number {k:04d}": x for k, x in enumerate(kind.numbers[row])}
    tapes = [(kind.tapes[name], alone.tapes[name]) for name in OUTPUTS]
    acting = sorted(
        {name for pair in tapes for tape in pair for name, _ in tape.parameters if is_hidden(name)} - set(numbers)
    )
    rng = np.random.default_rng(row)
    loads = dict(zip(acting, rng.normal(size=len(acting)), strict=True))
    own = _size_of_loads(alone.tapes["motion"], state, {**given, **loads}, acting)
    # forces that balance leave round-off, which is no size; under loads of one they do not matter
    by_size = []
    for size in (own, 1.0):
        values = {**given, **numbers, **{name: size * x for name, x in loads.items()}}
        by_size.append(
            max(_relative_error(*(evaluate_groups(t, _rows(t, state, values)) for t in pair)) for pair in tapes)
        )
    return min(by_size)


def _size_of_loads(tape: Tape, state: list[np.ndarray], values: Mapping[str, float], acting: list[str]) -> float:
    """By what wrenches of size one are multiplied to make accelerations as large as those without any; one if there are none."""
    without = evaluate_groups(tape, _rows(tape, state, {**values, **dict.fromkeys(acting, 0.0)}))["v_dot"]
    added = np.abs(evaluate_groups(tape, _rows(tape, state, values))["v_dot"] - without).max(initial=0.0)
    own = np.abs(without).max(initial=0.0)
    return float(own / added) if added > 0.0 and own > 0.0 else 1.0


def _rows(tape: Tape, state: list[np.ndarray], values: Mapping[str, float]) -> np.ndarray:
    parameters = [np.full((len(state[0]), 1), values[name]) for name, _ in tape.parameters]
    return np.concatenate([*state, *parameters], axis=1)


def _relative_error(found: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]) -> float:
    worst = 0.0
    for name, x in expected.items():
        size = np.abs(x).max(initial=0.0)
        if size > 0.0:
            worst = max(worst, float(np.abs(found[name] - x).max() / size))
        elif np.any(found[name]):
            return np.inf
    return worst if np.isfinite(worst) else np.inf
