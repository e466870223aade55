"""Whether a function of the state is discontinuous."""

from dataclasses import replace

import numpy as np

from vinculum.equations.sampling.states import Sampling
from vinculum.scalars import Scalar
from vinculum.scalars.graph import nodes
from vinculum.tolerances.functions import FUNCTION_JUMPS
from vinculum.tolerances.iterations import JUMP_HALVINGS
from vinculum.tolerances.sizes import NODES_OF_SWITCHES

DISCRETE = frozenset({"lt", "le", "eq", "ne", "and", "or", "not", "floor", "ceil", "sign", "copysign"})
FAR = (1.0, 30.0, 1000.0)


def has_jumps(output, at: Sampling) -> bool:
    """Whether an output takes two values at one state, found where its conditions change between random states.

    The way from one sample to another, some of them far away, is halved until the condition changes within round-off. A graph that
    is very long is not looked at.
    """
    whole = nodes([output]) if isinstance(output, Scalar) else []
    switches = [node for node in whole if node.op in DISCRETE]
    if not switches or len(whole) > NODES_OF_SWITCHES:
        return False
    return any(_jumps_between(output, switches, at, far) for far in FAR)


def _jumps_between(output, switches: list[Scalar], at: Sampling, far: float) -> bool:
    begin = at.columns
    end = {key: far * np.roll(column, 1) for key, column in begin.items()}
    low, high = np.zeros(at.count), np.ones(at.count)

    def there(share: np.ndarray) -> Sampling:
        return replace(at, columns={key: (1.0 - share) * begin[key] + share * end[key] for key in begin})

    def states(share: np.ndarray) -> np.ndarray:
        return there(share).of(switches)

    first = states(low)
    changing = np.any(first != states(high), axis=1)
    if not changing.any():
        return False
    for _ in range(JUMP_HALVINGS):
        middle = 0.5 * (low + high)
        same = np.all(states(middle) == first, axis=1)
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    before, after, first_value, last_value = (
        there(share).of([output])[:, 0] for share in (low, high, np.zeros(at.count), np.ones(at.count))
    )
    usual = np.abs([first_value, last_value])
    usual = usual[np.isfinite(usual)].max(initial=np.finfo(float).tiny)
    size = np.maximum(np.maximum(np.abs(before), np.abs(after)), usual)
    return bool(np.any((np.abs(after - before) > FUNCTION_JUMPS * size)[changing]))
