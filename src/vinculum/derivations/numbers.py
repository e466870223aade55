"""Numbers from the equations: one state or many, interpreted or compiled."""

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from vinculum.derivations.state import State
from vinculum.errors import RunError, StartError
from vinculum.kernels.model import Model
from vinculum.kernels.one_state import Evaluator
from vinculum.kernels.trace import trace
from vinculum.scalars import Scalar
from vinculum.scalars.graph import LEAVES, nodes

NONE = np.zeros(0)


@final
class Numbers:
    """Evaluators of named outputs, each traced when it is first asked for."""

    def __init__(self, state: State, model: Model, outputs: Callable[[str], dict[str, Any]]):
        self._state = state
        self._model = model
        self._outputs = outputs
        self._evaluators: dict[str, Evaluator] = {}
        self._shapes: dict[str, dict[str, tuple[int, ...]]] = {}
        self._defaults: np.ndarray | None = None
        self._rest: tuple[Any, np.ndarray] = (None, NONE)
        self._still: dict[int, np.ndarray] = {}

    def evaluator(self, what: str) -> Evaluator:
        """The evaluator of an output or a group of them."""
        if what not in self._evaluators:
            wanted = self._outputs(what)
            found = {name: np.asarray(x, dtype=object) for name, x in wanted["outputs"].items()}
            self._shapes[what] = {name: x.shape for name, x in found.items()}
            inputs = wanted["inputs"] | {"t": np.array([self._state.t])}
            self._evaluators[what] = Evaluator(trace(inputs, found, self._model.parameters))
        return self._evaluators[what]

    def __call__(self, what: str, inputs: Mapping[str, Any], t, parameters) -> np.ndarray:
        """One output at one state (its own shape) or at many (a batch in front)."""
        evaluator = self._evaluators.get(what) or self.evaluator(what)
        if parameters is None and evaluator.compiled is not None:
            parts = self._one_state(evaluator, inputs)
            if parts is not None:
                result = evaluator.one(parts, self._last(t))
                assert result is not None
                (shape,) = self._shapes[what].values()
                return self._finite(what, result if len(shape) == 1 else result.reshape(shape))
        return self.groups(what, inputs, t, parameters)[what]

    def groups(self, what: str, inputs: Mapping[str, Any], t, parameters) -> dict[str, np.ndarray]:
        """All outputs of a group by name."""
        evaluator = self.evaluator(what)
        X, many = self._rows(evaluator, inputs, t, parameters)
        Y = self._finite(what, evaluator.rows(X))
        places = evaluator.tape.slices(evaluator.tape.outputs)
        return {name: Y[:, places[name]].reshape(-1, *shape) if many else Y[0, places[name]].reshape(shape)
                for name, shape in self._shapes[what].items()}  # fmt: skip

    def operations(self) -> dict[str, int]:
        """Operations of M and h, written out and shared."""
        found = self._outputs("standard_form")["outputs"]
        flat = [x for part in found.values() for x in np.ravel(np.asarray(part, dtype=object))]
        sizes: dict[int, int] = {}
        for node in nodes(flat):
            args = () if node.op in LEAVES else node.args
            sizes[id(node)] = (node.op not in LEAVES) + sum(sizes[id(a)] for a in args if type(a) is Scalar)
        written = sum(sizes[id(x)] for x in flat if type(x) is Scalar)
        return {"written": written, "shared": len(self.evaluator("standard_form").tape.code)}

    def _one_state(self, evaluator: Evaluator, inputs: Mapping[str, Any]) -> tuple | None:
        """The state as plain float arrays of the right length, or None if it is anything else."""
        parts = []
        for (_, size), x in zip(evaluator.tape.inputs, inputs.values(), strict=False):
            if x is None:
                x = self._still.get(size)
                if x is None:
                    x = self._still[size] = np.zeros(size)
            elif type(x) is not np.ndarray or x.shape != (size,) or x.dtype != float:
                return None
            parts.append(x)
        return tuple(parts)

    def _last(self, t) -> np.ndarray:
        """t and the default parameters; the same array as long as t stays."""
        kept_t, rest = self._rest
        if kept_t is None or t != kept_t:
            if self._defaults is None:
                self._defaults = self._model.parameter_values(None)
            self._rest = (t, np.concatenate([[float(t)], self._defaults]))
        return self._rest[1]

    def _rows(self, evaluator: Evaluator, inputs: Mapping[str, Any], t, parameters) -> tuple[np.ndarray, bool]:
        arrays: dict[str, np.ndarray] = {}
        for (name, size), x in zip(evaluator.tape.inputs, inputs.values(), strict=False):
            array = np.zeros(size) if x is None else _array(name, x)
            if array.ndim not in (1, 2) or array.shape[-1] != size:
                raise StartError(
                    f"{name} of '{self._model.name}' must have shape ({size},) or (B, {size}), got {array.shape}"
                )
            arrays[name] = array
        arrays["t"] = _array("t", t)[..., None]
        columns, swept = self._parameters(parameters)
        counts = {len(x) for x in (*arrays.values(), columns) if x.ndim == 2}
        if len(counts) > 1:
            raise StartError(f"batches of different lengths {sorted(counts)}; give all of them one length B, or one state")
        many = bool(counts)
        X = np.empty((counts.pop() if counts else 1, evaluator.tape.n_in))
        start = 0
        for array in (*arrays.values(), columns):
            X[:, start : start + array.shape[-1]] = array
            start += array.shape[-1]
        return X, many or swept

    def _parameters(self, given: Mapping | None) -> tuple[np.ndarray, bool]:
        """Parameter values in order, (n,) or (B, n) where some of them are arrays."""
        arrays = {name: _array(name, x) for name, x in (given or {}).items()}
        lengths = {len(x) for x in arrays.values() if x.ndim}
        if not lengths:
            return self._model.parameter_values(given), False
        if len(lengths) > 1:
            raise StartError(f"parameters: arrays of different lengths {sorted(lengths)}; give all of them one length B")
        (count,) = lengths
        rows = [{name: x[i] if x.ndim else x[()] for name, x in arrays.items()} for i in range(count)]
        return np.stack([self._model.parameter_values(row) for row in rows]), True

    def _finite(self, what: str, result: np.ndarray) -> np.ndarray:
        if result.size and not np.isfinite(result.min() + result.max()):
            raise RunError(
                f"{what} of '{self._model.name}' is not finite at this state: a state or parameter is not finite, a chart is "
                "at its singular place, or the mass matrix is singular"
            )
        return result


def _array(name: str, x) -> np.ndarray:
    try:
        return np.asarray(x, dtype=float)
    except (TypeError, ValueError) as error:
        raise StartError(f"{name}: {x!r} is not made of numbers") from error
