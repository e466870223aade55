"""Modes of a piecewise system: their values at a state, and the detection of chattering."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import final

import numpy as np

from vinculum.compile.passes.switches import Switched, play, with_modes
from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.errors import MethodError
from vinculum.scalars import Scalar, directional, symbols
from vinculum.tolerances.watch import (
    CHATTER,
    CHATTER_BEGIN,
    CHATTER_TIME,
    FAR_FROM_A_SWITCH,
    MOMENTS_LATER,
    ON_A_SWITCH,
)


@lru_cache(maxsize=64)
def switched_of(tape: Tape) -> Switched:
    """The smooth form of a piecewise tape."""
    return with_modes(tape)


@lru_cache(maxsize=64)
def _jacobians(tape: Tape) -> Tape:
    """Tape of the levels of the modes and their first and second derivatives along the motion, over (q, v, t, modes, parameters)."""
    form = switched_of(tape)
    groups, inputs = {}, []
    for name, size in form.functions.inputs:
        if name != "parameters":
            groups[name] = symbols(name, size)
            inputs.extend(groups[name])
    inputs.extend(Scalar("parameter", *item) for item in form.functions.parameters)
    functions = _results(form.levels, inputs)
    rates = _results(form.smooth, inputs)
    moving = np.concatenate([groups["q"], groups["v"], groups["t"]])
    along = np.array([*rates, 1.0], dtype=object)
    jacobians = directional(np.array([*functions, None], dtype=object)[:-1], moving, along)
    bends = directional(np.asarray(jacobians, dtype=object), moving, along)
    return trace(groups, {"levels": functions, "jacobians": jacobians, "bends": bends}, dict(form.functions.parameters))


def _results(tape: Tape, inputs: list) -> list:
    values = play(tape, inputs)
    return [values[r] for r in tape.results.tolist()]


SLIDES = (
    "at t = {:.9g} s both sides of a switch of the model push back to it: the motion slides along the switch, which a "
    "piecewise force cannot describe; smooth the force (for example tanh(v/eps) in place of sign(v))"
)


LEAVES = (
    "at t = {:.9g} s the motion leaves table '{}': its argument is {:.9g}, and it has values from {:.9g} to {:.9g}; give it more "
    "points, or say what it is beyond them: outside='extend' or 'flat'"
)


def mode_inputs(tape: Tape, modes: np.ndarray) -> np.ndarray:
    """Modes and the numbers that depend on them, as inputs of the smooth form."""
    return switched_of(tape).inputs(modes) if len(modes) else modes


def _rates(tape: Tape, state, t: float, parameters, modes) -> np.ndarray:
    """Levels, first and second time derivatives of the modes, (3, count)."""
    row = np.concatenate([state, [t], mode_inputs(tape, modes), parameters])[None, :]
    return arrays.evaluate(_jacobians(tape), row)[0].reshape(3, len(modes))


def _levels_and_jacobians(tape: Tape, state, t: float, parameters, modes) -> tuple[np.ndarray, np.ndarray]:
    levels, jacobians, bends = _rates(tape, state, t, parameters, modes)
    return levels, np.where(
        np.abs(jacobians) > ON_A_SWITCH * np.maximum(1.0, np.abs(state).max(initial=0.0)), jacobians, bends
    )


def _levels_ahead(tape: Tape, state, t: float, parameters, modes) -> np.ndarray:
    """Levels of the modes a moment later. They tell the sign of one whose first two derivatives vanish, as that of t**3 at zero.

    A level that is zero even then stays so, and is not positive.
    """
    row = np.concatenate([state, [t], mode_inputs(tape, modes), parameters])[None, :]
    rates = arrays.evaluate(switched_of(tape).smooth, row)[0]
    levels = np.zeros(len(modes))
    for dt in MOMENTS_LATER:
        later = _rates(tape, state + dt * rates, t + dt, parameters, modes)[0]
        levels = np.where(levels == 0.0, later, levels)
    return levels


def modes_at(
    tape: Tape, state: np.ndarray, t: float, parameters: np.ndarray, modes: np.ndarray | None = None
) -> np.ndarray:
    """Modes at a state: the sign, integer part or piece of each level. At a switch, the derivative of the level decides."""
    form = switched_of(tape)
    modes = np.zeros(form.count) if modes is None else modes.copy()
    size = np.maximum(1.0, np.abs(state).max(initial=0.0))
    for _ in range(form.count + 2):
        levels, jacobians = _levels_and_jacobians(tape, state, t, parameters, modes)
        nearest, falling, rising = form.sides(levels)
        there = np.abs(levels - nearest) <= ON_A_SWITCH * np.maximum(size, np.abs(levels))
        still = np.where(form.many(), form.plain(nearest), modes)
        flat = there & ~(np.abs(jacobians) > ON_A_SWITCH * size) & ~form.many()
        if flat.any():
            ahead = _levels_ahead(tape, state, t, parameters, modes)
            jacobians, still = np.where(flat, ahead, jacobians), np.where(flat, falling, still)
        turning = np.where(jacobians > 0.0, rising, np.where(jacobians < 0.0, falling, still))
        new = np.where(there, turning, form.plain(levels)).astype(float)
        if np.array_equal(new, modes):
            return modes
        modes = new
    raise MethodError(SLIDES.format(t))


def rests_on_switch(tape: Tape, state: np.ndarray, t: float, parameters: np.ndarray, modes: np.ndarray) -> bool:
    """Whether a level is at its switch with zero derivative: the motion touches the switch there, or stays on it."""
    form = switched_of(tape)
    levels, jacobians, _ = _rates(tape, state, t, parameters, modes)
    small = ON_A_SWITCH * np.maximum(1.0, np.abs(state).max(initial=0.0))
    return bool(np.any(form.watched & (np.abs(levels - form.sides(levels)[0]) <= small) & (np.abs(jacobians) <= small)))


def _side_after(tape: Tape, state, t: float, parameters, choices: tuple, index: int) -> np.ndarray:
    """Modes after the sign of the level ``index`` has changed, of three ``choices``: those before, those with this mode turned, and
    those that the state has then.

    Other modes may have turned at the same instant. They may have moved this level away from its switch, or have taken it back, as in
    max(|x|, 0). Otherwise the mode is turned, and an error is raised if both sides push back to the switch.
    """
    before, turned, agreed = choices
    size = np.maximum(1.0, np.abs(state).max(initial=0.0))
    if abs(_levels_and_jacobians(tape, state, t, parameters, agreed)[0][index]) > FAR_FROM_A_SWITCH * size:
        return agreed
    agreed[index] = turned[index]
    after, stayed = (
        _levels_and_jacobians(tape, state, t, parameters, modes)[1][index] * (2.0 * modes[index] - 1.0)
        for modes in (agreed, before)
    )
    if after < -ON_A_SWITCH * size and stayed <= ON_A_SWITCH * size:
        raise MethodError(SLIDES.format(t))
    return before if after < -ON_A_SWITCH * size else agreed


def cross(
    tape: Tape, state, t: float, parameters, modes: np.ndarray, index: int, direction: int, over: bool = False
) -> np.ndarray:
    """Modes after the function ``index`` has crossed zero in a direction.

    Raises an error if the motion slides along the switch, or leaves a table before the run is ``over``.
    """
    form = switched_of(tape)
    modes, before, many = modes.copy(), modes, form.many()[index]
    if not many:
        modes[index] = 1.0 if direction > 0 else 0.0
    agreed = modes_at(tape, state, t, parameters, modes)
    if not many:
        agreed = _side_after(tape, state, t, parameters, (before, modes, agreed), index)
    elif agreed[index] == modes[index]:
        levels, jacobians = _levels_and_jacobians(tape, state, t, parameters, agreed)
        _, below, above = form.sides(levels)
        agreed[index] = above[index] if jacobians[index] > 0.0 else below[index]
    if any(not 0 <= agreed[i] < table.count for i, table in form.tables.items()):
        if over:
            return before
        check_tables(tape, state, t, parameters, agreed)
    return agreed


def check_tables(tape: Tape, state, t: float, parameters, modes: np.ndarray) -> None:
    """Refuse modes outside a table."""
    form = switched_of(tape)
    for i, table in form.tables.items():
        if not 0 <= modes[i] < table.count:
            level = _rates(tape, state, t, parameters, modes)[0, i]
            raise MethodError(LEAVES.format(t, table.name, level, table.low, table.high))


@final
@dataclass
class ChatterWatch:
    """Counts switches. Many switches in almost no time accumulate, and the run would never pass that instant."""

    span: float
    recent: list[float] = field(default_factory=list)

    def note_switch(self, t: float) -> str | None:
        """Record a switch at t; returns a message if the last `CHATTER` switches took almost no time."""
        self.recent = [*self.recent[-CHATTER + 1 :], t]
        if len(self.recent) == CHATTER and t - self.recent[0] < CHATTER_TIME * max(abs(t), CHATTER_BEGIN * self.span):
            return f"at t = {t:.9g} s the model switches endlessly without advancing in time; smooth its piecewise functions"
        return None
