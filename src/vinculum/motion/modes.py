"""Modes of a piecewise system: their values at a state, and the watch over chattering."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import final

import numpy as np

from vinculum.errors import MethodError
from vinculum.kernels import arrays
from vinculum.kernels.switches import Switched, played, switched
from vinculum.kernels.tape import Tape
from vinculum.kernels.trace import trace
from vinculum.scalars import Scalar, directional, symbols

CHATTER = 60


@lru_cache(maxsize=64)
def switched_of(tape: Tape) -> Switched:
    """The smooth form of a piecewise tape."""
    return switched(tape)


@lru_cache(maxsize=64)
def _slopes(tape: Tape) -> Tape:
    """Switching functions and their rates along the motion, over (q, v, t, modes, parameters)."""
    form = switched_of(tape)
    groups, inputs = {}, []
    for name, size in form.functions.inputs:
        if name != "parameters":
            groups[name] = symbols(name, size)
            inputs.extend(groups[name])
    inputs.extend(Scalar("parameter", *item) for item in form.functions.parameters)
    functions = _results(form.functions, inputs)
    rates = _results(form.smooth, inputs)
    moving = np.concatenate([groups["q"], groups["v"], groups["t"]])
    slopes = directional(np.array([*functions, None], dtype=object)[:-1], moving, np.array([*rates, 1.0], dtype=object))
    return trace(groups, {"functions": functions, "slopes": slopes}, dict(form.functions.parameters))


def _results(tape: Tape, inputs: list) -> list:
    values = played(tape, inputs)
    return [values[r] for r in tape.results.tolist()]


SLIDES = (
    "at t = {:.9g} s both sides of a switch of the model push back to it: the motion slides along the switch, which a "
    "piecewise force cannot describe; smooth the force (for example tanh(v/eps) in place of sign(v))"
)


def _functions_and_slopes(tape: Tape, state, t: float, parameters, modes) -> tuple[np.ndarray, np.ndarray]:
    row = np.concatenate([state, [t], modes, parameters])[None, :]
    Y = arrays.evaluate(_slopes(tape), row)[0]
    return Y[: len(modes)], Y[len(modes) :]


def modes_at(
    tape: Tape, state: np.ndarray, t: float, parameters: np.ndarray, modes: np.ndarray | None = None
) -> np.ndarray:
    """Modes at a state: the sign of each switching function, or of its slope where it vanishes."""
    count = switched_of(tape).count
    modes = np.zeros(count) if modes is None else modes.copy()
    size = np.maximum(1.0, np.abs(state).max(initial=0.0))
    for _ in range(count + 2):
        functions, slopes = _functions_and_slopes(tape, state, t, parameters, modes)
        zero = np.abs(functions) <= 1e-13 * size
        new = np.where(zero, np.where(slopes == 0.0, modes, slopes > 0.0), functions > 0.0).astype(float)
        if np.array_equal(new, modes):
            return modes
        modes = new
    raise MethodError(SLIDES.format(t))


def slides(
    tape: Tape, state: np.ndarray, t: float, parameters: np.ndarray, modes: np.ndarray, index: int
) -> str | None:
    """Why the motion cannot leave the switch ``index`` that it has just crossed, or None if it can (Filippov)."""
    slope = _functions_and_slopes(tape, state, t, parameters, modes)[1][index]
    return SLIDES.format(t) if slope * (2.0 * modes[index] - 1.0) < 0.0 else None


@final
@dataclass
class ChatterWatch:
    """Counts switches; many of them in no time mean that they accumulate, and that the run would never pass that instant."""

    span: float
    recent: list[float] = field(default_factory=list)

    def switched(self, t: float) -> bool:
        """Note a switch at t; True when the last `CHATTER` of them took next to no time."""
        self.recent = [*self.recent[-CHATTER + 1 :], t]
        return len(self.recent) == CHATTER and t - self.recent[0] < 1e-6 * self.span
