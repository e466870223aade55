"""A proof in exact arithmetic that a function of bodies is invariant under rigid motions of all of them."""

import time
from collections.abc import Sequence

import numpy as np

from vinculum.derivations.printing.canonical import Algebra, TooLongError
from vinculum.equations.sampling.superposed_rates import superposed_rates
from vinculum.scalars import Scalar, Value, directional, replay, substitute, symbol, symbols
from vinculum.scalars.graph import LEAVES, nodes
from vinculum.scalars.math import NUMERIC, SYMBOLIC, cross
from vinculum.screws import Euler, skew
from vinculum.tolerances.functions import RATE_NOTICED
from vinculum.tolerances.sizes import OPERATIONS_OF_A_RATE
from vinculum.tolerances.time import SECONDS_FOR_INVARIANCE

Places = Sequence[tuple[np.ndarray, np.ndarray]]


def is_shown_invariant(
    function, places: Places, t: Scalar, seconds: float = SECONDS_FOR_INVARIANCE, deforming: Sequence[bool] = ()
) -> bool:
    r"""Whether the rate of a function along every superposed rigid motion and in time is shown to vanish identically.

    .. math:: \dot x = u + \omega\times x,\qquad \dot R = \omega^\times R,\qquad \dot t = \tau

    with open u, ω, τ. Every part of the function whose rate vanishes becomes a letter of its own, so that what is built of it needs
    no arithmetic. If this does not end in zero, the rates are taken once more with angles in place of the entries of R, so that
    RᵀR = I holds too, unless R is the deformation of a body that is ``deforming``. False says that nothing was shown.
    """
    if not isinstance(function, Scalar):
        return True
    begun = time.monotonic()
    if _rate_vanishes(function, places, t, begun + seconds / 2):
        return True
    free = deforming or [False] * len(places)
    turning = [R for (_, R), deforms in zip(places, free, strict=True) if R.dtype == object and not deforms]
    if not turning:
        return False
    rates = superposed_rates(function, places, t).all()
    angles = [Euler("zxz").matrix(symbols(f"angle {i} ", 3)).ravel() for i in range(len(turning))]
    turned = substitute(rates, np.concatenate([R.ravel() for R in turning]), np.concatenate(angles))
    return _vanish(turned, time.monotonic() + seconds / 2)


def _rate_vanishes(function: Scalar, places: Places, t: Scalar, deadline: float) -> bool:
    tangent: dict[int, Value] = _leaf_rates(places, t)
    letters: dict[int, Value] = {}
    known: dict[tuple, Scalar] = {}
    trial = _Trial()

    def replace_leaf(x) -> Value:
        return letters.get(id(x), x) if isinstance(x, Scalar) else x

    for node in nodes([function]):
        if node.op in LEAVES:
            letters[id(node)] = node
            continue
        args = [replace_leaf(a) for a in node.args]
        new = SYMBOLIC[node.op](*args)
        moving = [(a, tangent.get(id(a), 0.0)) for a in args if isinstance(a, Scalar)]
        moving = [(a, rate) for a, rate in moving if isinstance(rate, Scalar)]
        rate: Value = 0.0
        if moving and isinstance(new, Scalar):
            rate = directional(np.array([new, 0.0], dtype=object), *zip(*moving, strict=True))[0]
        if isinstance(rate, Scalar) and not (trial.may_vanish(rate) and _vanish([rate], deadline)):
            letters[id(node)] = new
            tangent[id(new)] = rate
        elif isinstance(new, Scalar):
            key = (node.op, *(a if isinstance(a, float) else id(a) for a in args))
            letters[id(node)] = known.setdefault(key, symbol("invariant"))
            trial.give(known[key], new)
        else:
            letters[id(node)] = new
    final = letters[id(function)]
    return not (isinstance(final, Scalar) and isinstance(tangent.get(id(final), 0.0), Scalar))


class _Trial:
    """Random numbers for symbols, which tell soon that a rate does not vanish."""

    def __init__(self):
        self.rng = np.random.default_rng(10)
        self.numbers: dict[int, float] = {}

    def give(self, letter: Scalar, meant: Scalar) -> None:
        """Let a letter have the value of what it stands for."""
        if id(letter) not in self.numbers:
            self.numbers[id(letter)] = self._value(meant)

    def may_vanish(self, rate: Scalar) -> bool:
        """Whether a rate is short enough to be looked at, and vanishes to round-off or has no value here."""
        return len(nodes([rate])) <= OPERATIONS_OF_A_RATE and not abs(self._value(rate)) > RATE_NOTICED

    def _value(self, graph: Scalar) -> float:
        def leaf(node: Scalar):
            if node.op == "parameter":
                return node.args[1]
            return self.numbers.setdefault(id(node), self.rng.uniform(0.3, 1.3))

        with np.errstate(all="ignore"):
            return float(replay(np.array([graph, 0.0], dtype=object), leaf, NUMERIC)[0])


def _leaf_rates(places: Places, t: Scalar) -> dict[int, Value]:
    u, w, tau = symbols("u", 3), symbols("w", 3), symbol("tau")
    found: dict[int, Value] = {id(t): tau}
    for x, R in places:
        found |= dict(zip(map(id, x), u + cross(w, x), strict=True))
        if R.dtype == object:
            found |= dict(zip(map(id, R.ravel()), (skew(w) @ R).ravel(), strict=True))
    return found


def _vanish(graphs, deadline: float) -> bool:
    try:
        return not any(Algebra(deadline).sums(np.asarray(graphs, dtype=object)))
    except (TooLongError, ZeroDivisionError, OverflowError):
        return False
