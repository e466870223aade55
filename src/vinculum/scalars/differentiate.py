"""Derivatives of graphs: directional, gradient and Jacobian."""

from collections.abc import Callable
from typing import final

import numpy as np

from vinculum.scalars import math as m
from vinculum.scalars.graph import LEAVES, nodes
from vinculum.scalars.scalar import Scalar, Value, add, mul

TWO_OVER_ROOT_PI = 2.0 / m.pi**0.5

PARTIALS: dict[str, Callable] = {
    "add": lambda a, b, y: (1.0, 1.0),
    "sub": lambda a, b, y: (1.0, -1.0),
    "mul": lambda a, b, y: (b, a),
    "div": lambda a, b, y: (1.0 / b, -y / b),
    "neg": lambda a, y: (-1.0,),
    "pow": lambda a, b, y: (b * m.pow(a, b - 1.0), y * m.log(a) if type(b) is not float else 0.0),
    "sin": lambda a, y: (m.cos(a),),
    "cos": lambda a, y: (-m.sin(a),),
    "tan": lambda a, y: (1.0 + y * y,),
    "asin": lambda a, y: (1.0 / m.sqrt(1.0 - a * a),),
    "acos": lambda a, y: (-1.0 / m.sqrt(1.0 - a * a),),
    "atan": lambda a, y: (1.0 / (1.0 + a * a),),
    "sinh": lambda a, y: (m.cosh(a),),
    "cosh": lambda a, y: (m.sinh(a),),
    "tanh": lambda a, y: (1.0 - y * y,),
    "asinh": lambda a, y: (1.0 / m.sqrt(1.0 + a * a),),
    "acosh": lambda a, y: (1.0 / m.sqrt(a * a - 1.0),),
    "atanh": lambda a, y: (1.0 / (1.0 - a * a),),
    "exp": lambda a, y: (y,),
    "log": lambda a, y: (1.0 / a,),
    "expm1": lambda a, y: (y + 1.0,),
    "log1p": lambda a, y: (1.0 / (1.0 + a),),
    "sqrt": lambda a, y: (0.5 / y,),
    "abs": lambda a, y: (m.sign(a),),
    "erf": lambda a, y: (TWO_OVER_ROOT_PI * m.exp(-a * a),),
    "atan2": lambda a, b, y: (b / (a * a + b * b), -a / (a * a + b * b)),
    "hypot": lambda a, b, y: (a / y, b / y),
    "min": lambda a, b, y: (m.where(a < b, 1.0, 0.0), m.where(a < b, 0.0, 1.0)),
    "max": lambda a, b, y: (m.where(a < b, 0.0, 1.0), m.where(a < b, 1.0, 0.0)),
    "fmod": lambda a, b, y: (1.0, (y - a) / b),
    "copysign": lambda a, b, y: (m.sign(a) * m.sign(b), 0.0),
    "table": lambda table, a, y: (0.0, table.derivative.at(a)),
    "where": lambda c, a, b, y: (0.0, m.where(c, 1.0, 0.0), m.where(c, 0.0, 1.0)),
}
"""Partial derivatives of each operation by its operands; steps (floor, sign, comparisons) have none."""


def _partials(node: Scalar) -> tuple:
    rule = PARTIALS.get(node.op)
    return rule(*node.args, node) if rule else (0.0,) * len(node.args)


@final
class Along:
    """Derivatives along one change of the inputs, (∂y/∂x) ẋ; what was found for some outputs is kept for others."""

    def __init__(self, inputs, directions):
        self._inputs = list(np.ravel(inputs))
        self._tangent: dict[int, Value] = {id(x): d for x, d in zip(self._inputs, np.ravel(directions), strict=True)}
        self._kept: list[Scalar] = []  # an id belongs to a node only while that lives

    def of(self, outputs) -> np.ndarray:
        """The derivatives of the outputs, in their shape."""
        outputs, tangent = np.asarray(outputs, dtype=object), self._tangent
        order = nodes(outputs.ravel(), tangent)
        self._kept += order
        for node in order:
            if node.op in LEAVES:
                continue
            total = 0.0
            moving = [(i, tangent.get(id(a), 0.0)) for i, a in enumerate(node.args) if type(a) is Scalar]
            moving = [(i, d) for i, d in moving if isinstance(d, Scalar) or d != 0.0]
            if moving and node.op == "where":
                condition, a, b = node.args
                total = m.where(condition, *(_value(tangent.get(id(x), 0.0)) for x in (a, b)))
            elif moving:
                partials = _partials(node)
                for i, d in moving:
                    total = add(total, mul(_value(partials[i]), _value(d)))
            tangent[id(node)] = total
        flat = [tangent.get(id(y), 0.0) if type(y) is Scalar else 0.0 for y in outputs.ravel()]
        return _array(flat).reshape(outputs.shape)


def directional(outputs, inputs, directions) -> np.ndarray:
    """The derivative of the outputs along a change of the inputs, (∂y/∂x) ẋ. Shape of the outputs."""
    return Along(inputs, directions).of(outputs)


def gradient(output, inputs) -> np.ndarray:
    """Derivatives of one output by every input, ∂y/∂x. Shape of the inputs."""
    inputs = np.asarray(inputs, dtype=object)
    adjoint: dict[int, Value] = {}
    if type(output) is Scalar:
        adjoint[id(output)] = 1.0
        wanted = {id(x) for x in inputs.ravel()}
        order = nodes([output])
        relevant = set(wanted)
        for node in order:
            if node.op not in LEAVES and any(id(a) in relevant for a in node.args):
                relevant.add(id(node))
        branches = _Branches(order)
        for node in reversed(order):
            bar = adjoint.get(id(node))
            if bar is None or node.op in LEAVES or id(node) not in relevant:
                continue
            if node.op == "mul" and node.args[0] is node.args[1]:
                one = node.args[0]
                adjoint[id(one)] = add(adjoint.get(id(one), 0.0), branches.within(node, mul(one, mul(2.0, bar))))
                branches.follow(node, one)
                continue
            for i, (argument, partial) in enumerate(zip(node.args, _partials(node), strict=True)):
                if type(argument) is Scalar and id(argument) in relevant:
                    term = branches.within(node, mul(_value(partial), bar))
                    adjoint[id(argument)] = add(adjoint.get(id(argument), 0.0), term)
                    branches.follow(node, argument, i)
    return _array([adjoint.get(id(x), 0.0) for x in inputs.ravel()]).reshape(inputs.shape)


UNSAFE = frozenset({"pow", "sqrt", "log", "log1p", "div", "tan", "asin", "acos", "acosh", "atanh", "hypot", "atan2", "table", "exp",
                    "expm1", "sinh", "cosh"})  # fmt: skip
"""Operations that may have no finite value, or no derivative, at some numbers."""


@final
class _Branches:
    """The conditions under which the values of nodes count: those of the branches of `where` that use them.

    Where a branch is not chosen, its values need not exist, and zero times their derivatives would be no number.
    """

    def __init__(self, order: list[Scalar]):
        self._unsafe: set[int] = set()
        self._conditions: dict[int, Scalar | None] = {}
        self._any = any(node.op == "where" for node in order)
        for node in order if self._any else ():
            if node.op in UNSAFE or any(id(a) in self._unsafe for a in node.args):
                self._unsafe.add(id(node))

    def within(self, node: Scalar, term: Value) -> Value:
        """A term of a derivative that passes through a node; zero where its branch is not chosen."""
        condition = self._conditions.get(id(node))
        return term if condition is None or id(node) not in self._unsafe else m.where(condition, term, 0.0)

    def follow(self, node: Scalar, argument: Scalar, place: int = 0) -> None:
        """Note under which condition a node uses its argument."""
        if not self._any:
            return
        used = self._conditions.get(id(node))
        if node.op == "where":
            own = node.args[0] if place == 1 else m.logical_not(node.args[0])
            used = own if used is None else m.logical_and(used, own)
        if id(argument) in self._conditions:
            known = self._conditions[id(argument)]
            used = None if used is None or known is None else known if known is used else m.logical_or(known, used)
        self._conditions[id(argument)] = used


def jacobian(outputs, inputs) -> np.ndarray:
    """Matrix ∂y_i/∂x_j, shape (len(y), len(x))."""
    outputs, inputs = np.ravel(np.asarray(outputs, dtype=object)), np.ravel(np.asarray(inputs, dtype=object))
    if len(outputs) < len(inputs):
        rows = [gradient(y, inputs) for y in outputs]
    else:
        unit = np.eye(len(inputs))
        rows = (
            np.stack([directional(outputs, inputs, unit[j]) for j in range(len(inputs))], axis=1) if len(inputs) else []
        )
    return np.asarray(rows).reshape(len(outputs), len(inputs))


def _value(x):
    return x if type(x) is Scalar else float(x)


def _array(values: list) -> np.ndarray:
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result if any(type(x) is Scalar for x in values) else result.astype(float)
