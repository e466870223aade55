"""Numbers from the equations: one state or many, interpreted or compiled."""

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from vinculum.compile.one_state import Evaluator
from vinculum.compile.trace import trace
from vinculum.derivations.equations.state import State
from vinculum.errors import RunError, StartError, shorten
from vinculum.models.model import Model
from vinculum.scalars import Scalar
from vinculum.scalars.graph import LEAVES, nodes


@final
class Numbers:
    """Evaluators of named outputs, each traced when it is first asked for. ``fast``: the shortest way to those compiled, for
    the default parameters."""

    def __init__(self, state: State, model: Model, outputs: Callable[[str], dict[str, Any]]):
        self._state = state
        self._model = model
        self._outputs = outputs
        self._evaluators: dict[str, Evaluator] = {}
        self._shapes: dict[str, dict[str, tuple[int, ...]]] = {}
        self._checked: np.ndarray | None = None
        self.fast: dict[str, Callable] = {}

    def evaluator(self, what: str) -> Evaluator:
        """The evaluator of an output or a group of them."""
        if what not in self._evaluators:
            wanted = self._outputs(what)
            found = {name: np.asarray(x, dtype=object) for name, x in wanted["outputs"].items()}
            self._shapes[what] = {name: x.shape for name, x in found.items()}
            inputs = wanted["inputs"] | {"t": np.array([self._state.t])}
            self._evaluators[what] = Evaluator(trace(inputs, found, self._model.parameters))
        return self._evaluators[what]

    def __call__(self, what: str, inputs: tuple, t, parameters) -> np.ndarray:
        """One output at one state (its own shape) or at many (a batch in front). ``inputs``: q, v, … in order."""
        result = self.groups(what, inputs, t, parameters)[what]
        if what not in self.fast and self._evaluators[what].compiled is not None:
            (shape,) = self._shapes[what].values()
            self.fast[what] = self._evaluators[what].for_one_state(self._defaults(), shape)
        return result

    def one(self, what: str, inputs: tuple, t, parameters) -> np.ndarray:
        """The same, by the shortest way there is."""
        fast = self.fast.get(what) if parameters is None else None
        result = None if fast is None else fast(t, *inputs)
        return self(what, inputs, t, parameters) if result is None else result

    def _defaults(self) -> np.ndarray:
        """The default values of the parameters in order; checked once."""
        if self._checked is None:
            self._checked = self._model.parameter_values(None)
        return self._checked

    def groups(self, what: str, inputs: tuple, t, parameters) -> dict[str, np.ndarray]:
        """All outputs of a group by name."""
        evaluator = self.evaluator(what)
        parts, count, many = self._parts(evaluator, inputs, t, parameters)
        Y = self._finite(what, evaluator.rows(parts, count))
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

    def _parts(self, evaluator: Evaluator, inputs: tuple, t, parameters) -> tuple[list[np.ndarray], int, bool]:
        """All inputs as arrays (size,) or (B, size), the number of rows, and whether there is a batch."""
        parts = []
        for (name, size), x in zip(evaluator.tape.inputs, inputs, strict=False):
            array = _array(name, x)
            if array.ndim not in (1, 2) or array.shape[-1] != size:
                raise StartError(
                    f"{name} of '{self._model.name}' must have shape ({size},) or (B, {size}), got {array.shape}"
                )
            parts.append(array)
        instants = _array("t", t)
        if instants.ndim > 1:
            raise StartError(f"t has shape {instants.shape}; give one instant, or one for each state")
        parts += [instants[..., None], self._parameters(parameters)]
        counts = {len(x) for x in parts if x.ndim == 2}
        if len(counts) > 1:
            raise StartError(
                f"batches of different lengths {sorted(counts)}; give all of them one length B, or one state"
            )
        return parts, counts.pop() if counts else 1, any(x.ndim == 2 for x in parts)

    def _parameters(self, given: Mapping | None) -> np.ndarray:
        """Parameter values in order, (n,) or (B, n) where some of them are arrays."""
        if given is not None and not isinstance(given, Mapping):
            raise StartError(f"parameters is {shorten(given)} and must map names to values, as parameters={{'m': 1.5}}")
        if not given:
            return self._defaults()
        arrays = {name: _array(name, x) for name, x in given.items()}
        lengths = {len(x) for x in arrays.values() if x.ndim}
        if not lengths:
            return self._model.parameter_values(given)
        if len(lengths) > 1:
            raise StartError(
                f"parameters: arrays of different lengths {sorted(lengths)}; give all of them one length B"
            )
        (count,) = lengths
        rows = [{name: (x[i] if x.ndim else x).tolist() for name, x in arrays.items()} for i in range(count)]
        return np.stack([self._model.parameter_values(row) for row in rows])

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
    except (TypeError, ValueError, OverflowError) as error:
        raise StartError(f"{name}: {shorten(x)} is not made of numbers") from error
