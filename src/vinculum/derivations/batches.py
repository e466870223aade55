"""A tape over a batch of states, read from the user's arrays."""

from collections.abc import Mapping, Sequence

import numpy as np

from vinculum.compile.evaluate import code_when_it_pays
from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays
from vinculum.compile.targets.llvm.gathered import evaluate_gathered
from vinculum.derivations.states import batch_length, is_finite
from vinculum.errors import StartError
from vinculum.models.model import Model

_ZERO = np.zeros(1)


def is_plain(x, width: int) -> bool:
    """Whether ``x`` is an array (width,) or (B, width) of floats that lie next to each other in a row; nothing of it is read."""
    return (
        type(x) is np.ndarray
        and x.dtype == float
        and x.ndim in (1, 2)
        and x.shape[-1] == width
        and (width <= 1 or x.strides[-1] == 8)
        and (x.ndim == 1 or x.strides[0] % 8 == 0)
        and x.flags.aligned
    )


def evaluate_blocks(tape: Tape, blocks: Sequence[np.ndarray], out: np.ndarray, kept: np.ndarray | None = None) -> bool:
    """Put the tape's outputs into ``out`` (rows, n_out); whether all that went in and out is finite (False may be a false alarm).

    ``blocks``: arrays (size,) or (rows, size) for the tape's inputs in order. ``kept``: gets the inputs in blocks of eight rows.
    """
    rows = len(out)
    code = code_when_it_pays(tape, rows)
    if code is not None:
        return evaluate_gathered(code, [x for x in blocks if x.shape[-1]], rows, out, kept)
    inputs = np.empty((rows, tape.n_in))
    start = 0
    for block in blocks:
        inputs[:, start : start + block.shape[-1]] = block
        start += block.shape[-1]
    out[...] = arrays.evaluate(tape, inputs)
    if kept is not None:
        for lane in range(8):
            part = inputs[lane::8]
            kept[: len(part), :, lane] = part
    return is_finite(inputs) and is_finite(out)


def instants(what: str, given) -> np.ndarray:
    """A number as (1,), a row of them as (B, 1)."""
    if type(given) is float and given == 0.0:
        return _ZERO
    try:
        array = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise StartError(f"{what}: {given!r} is not a number or a row of numbers") from error
    if array.ndim > 1:
        raise StartError(f"{what} must be a number or a row of numbers, got shape {array.shape}")
    if not np.all(np.isfinite(array)):
        raise StartError(f"{what} contains NaN or infinity; give finite numbers")
    return array.reshape(-1, 1) if array.ndim else array.reshape(1)


def parameter_blocks(model: Model, parameters: Mapping | None) -> np.ndarray:
    """Values of all parameters in order, (p,) or (B, p), each checked as for a run."""
    if not parameters:
        return model.parameter_values(None)
    given = {name: instants(f"parameter '{name}'", x) for name, x in parameters.items()}
    count = batch_length({f"parameter '{name}'": x for name, x in given.items()})
    if count is None:
        return model.parameter_values({name: x[0] for name, x in given.items()})
    rows = [
        model.parameter_values({n: x[k, 0] if x.ndim == 2 else x[0] for n, x in given.items()}) for k in range(count)
    ]
    return np.stack(rows) if rows else np.empty((0, len(model.parameters)))
