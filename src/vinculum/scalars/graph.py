"""Walking a graph: order, evaluation, substitution, and its parameters."""

from collections.abc import Callable, Container, Iterable, Mapping

import numpy as np

from vinculum.errors import StartError
from vinculum.scalars.math import NUMERIC, SYMBOLIC
from vinculum.scalars.piecewise import Piecewise
from vinculum.scalars.scalar import Scalar, Value

LEAVES = ("symbol", "parameter")


def nodes(outputs: Iterable[Value], known: Container[int] = ()) -> list[Scalar]:
    """Every node that the outputs need, operands first; those with ids in ``known`` are left out, with what they need."""
    order: list[Scalar] = []
    seen: set[int] = set()
    for output in outputs:
        stack: list[Scalar | None] = [output] if isinstance(output, Scalar) else []
        while stack:
            node = stack.pop()
            if node is None:  # all that the node below needs is there
                node = stack.pop()
                assert node is not None
                seen.add(id(node))
                order.append(node)
            elif id(node) not in seen and id(node) not in known:
                needed = [a for a in reversed(node.args) if type(a) is Scalar and id(a) not in seen]
                if needed:
                    stack += (node, None, *needed)
                else:
                    seen.add(id(node))
                    order.append(node)
    return order


def replay(
    outputs, leaf: Callable[[Scalar], object], operations: Mapping[str, Callable] = SYMBOLIC, constant: Callable = float
) -> np.ndarray:
    """The outputs computed again with other leaves and, if wanted, other operations; shape kept."""
    outputs = np.asarray(outputs)
    flat = outputs.ravel()
    done: dict[int, object] = {}

    def value_of(x):
        return done[id(x)] if type(x) is Scalar else x if type(x) is Piecewise else constant(x)

    for node in nodes(flat):
        if node.op in LEAVES:
            done[id(node)] = leaf(node)
            continue
        arguments = [
            done[id(x)] if type(x) is Scalar else x if type(x) is Piecewise else constant(x) for x in node.args
        ]
        made = operations[node.op](*arguments)
        # the operators of a graph know floats only
        done[id(node)] = float(made) if type(made) is np.float64 else made
    result = np.empty(flat.shape, dtype=object)
    result[:] = [value_of(x) for x in flat]
    return result.reshape(outputs.shape)


def substitute(outputs, old, new) -> np.ndarray:
    """The outputs with the leaves ``old`` replaced by ``new``."""
    table = {id(a): b for a, b in zip(np.ravel(old), np.ravel(new), strict=True)}
    return replay(outputs, lambda leaf: table.get(id(leaf), leaf))


def parameters(outputs) -> dict[str, float]:
    """Name and default value of every parameter in the outputs; one name with two values is refused."""
    return parameters_among(nodes(np.ravel(np.asarray(outputs, dtype=object))))


def parameters_among(found: Iterable[Scalar]) -> dict[str, float]:
    """The same for nodes."""
    values: dict[str, float] = {}
    for node in found:
        if node.op == "parameter":
            name, value = node.args
            if values.setdefault(name, value) != value:
                raise StartError(
                    f"parameter '{name}' has two default values, {values[name]} and {value}: "
                    "make it once and use it in both places"
                )
    return values


def value(x, values: Mapping[str, float] | None = None):
    """Numbers in place of parameters (their defaults unless ``values`` says otherwise); floats pass through."""
    array = np.asarray(x)
    if array.dtype != object:
        return array.astype(float)[()]

    def leaf(node):
        if node.op == "symbol":
            raise StartError(f"'{node.args[0]}' is a symbol without a value: use vc.parameter(name, value)")
        name, default = node.args
        return (values or {}).get(name, default)

    with np.errstate(all="ignore"):
        return replay(array, leaf, NUMERIC).astype(float)[()]


def depends_on(outputs, leaves) -> bool:
    """Whether one of the leaves occurs in the outputs."""
    wanted = {id(x) for x in np.ravel(leaves)}
    return any(id(node) in wanted for node in nodes(np.ravel(np.asarray(outputs, dtype=object))))
