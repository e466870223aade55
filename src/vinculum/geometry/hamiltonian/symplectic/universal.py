"""Kepler's motion over a span of time in universal variables, as tapes for eight bodies at once."""

from functools import cache
from math import factorial, pi
from typing import Any, NamedTuple

from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.scalars import symbols
from vinculum.scalars.math import abs as absolute
from vinculum.scalars.math import dot, floor, maximum, sqrt, where
from vinculum.tolerances.steps import KEPLER_HALVINGS, KEPLER_MISSED, KEPLER_TERMS, KEPLER_WIDEST, NEARLY_PARABOLIC

GIVEN = ("x", "y", "z", "vx", "vy", "vz", "mu", "dt")
"""Rows of what is given: position, velocity, attraction μ, span of time."""
FOUND = ("r", "eta", "beta", "zeta", "dt", "s", "low", "high")
"""Rows of what is found: distance, r·v, 2μ/r − v², μ − βr, the span less whole periods, the universal anomaly, and its bounds."""


class KeplerTapes(NamedTuple):
    """Tapes over the rows `GIVEN` and then `FOUND`.

    ``begin``: the rows `FOUND` with a guess of the anomaly. ``improve``: anomaly, bounds, and the change of the anomaly. ``finish``: what
    the span adds to position and velocity, and by how much Kepler's equation is missed beyond round-off: negative where it is met.
    """

    begin: Tape
    improve: Tape
    finish: Tape


def stumpff(z: Any) -> tuple[Any, Any, Any, Any]:
    r"""Stumpff's functions c₀ … c₃ of z, for sizes of z up to `KEPLER_WIDEST` squared.

    .. math:: c_k(z) = \sum_{j\ge0}\frac{(-z)^j}{(k + 2j)!}

    Series at z / 4ⁿ, and n times c₀(4z) = 2c₀² − 1, c₁(4z) = c₀c₁, c₂(4z) = c₁²/2, c₃(4z) = (c₂ + c₀c₃)/4. Stumpff, Himmelsmechanik I.
    """
    small = z * 0.25**KEPLER_HALVINGS
    c2: Any = (-1.0) ** (KEPLER_TERMS - 1) / factorial(2 * KEPLER_TERMS)
    c3: Any = (-1.0) ** (KEPLER_TERMS - 1) / factorial(2 * KEPLER_TERMS + 1)
    for j in range(KEPLER_TERMS - 2, -1, -1):
        c2 = (-1.0) ** j / factorial(2 * j + 2) + small * c2
        c3 = (-1.0) ** j / factorial(2 * j + 3) + small * c3
    c0, c1 = 1.0 - small * c2, 1.0 - small * c3
    for _ in range(KEPLER_HALVINGS):
        c0, c1, c2, c3 = 2.0 * c0 * c0 - 1.0, c0 * c1, 0.5 * c1 * c1, 0.25 * (c2 + c0 * c3)
    return c0, c1, c2, c3


@cache
def kepler_tapes() -> KeplerTapes:
    r"""The tapes of Kepler's motion.

    .. math:: r\,s + \eta\,G_2 + \zeta\,G_3 = \Delta t,\qquad G_k = s^k c_k(\beta s^2)

    The left side grows with s, at the rate of the distance. Danby, Fundamentals of Celestial Mechanics, 6.9.
    """
    given, found = symbols("given", len(GIVEN)), symbols("found", len(FOUND))
    inputs = {"given": given, "found": found}
    q, v, (mu, span) = given[:3], given[3:6], given[6:]
    r, eta, beta, zeta, dt, s = found[:6]
    improved, change = _improve(found)
    _, c1, c2, c3 = stumpff(beta * s * s)
    G1, G2, G3 = s * c1, s * s * c2, s * s * s * c3
    later = r + eta * G1 + zeta * G2
    terms = [r * s, eta * G2, zeta * G3, dt]
    missed = absolute(terms[0] + terms[1] + terms[2] - dt) - KEPLER_MISSED * sum(absolute(x) for x in terms)
    turned = -1.0 * mu * G2
    moved = (turned / r) * q + (dt - mu * G3) * v
    hurried = (-1.0 * mu * G1 / (r * later)) * q + (turned / later) * v
    return KeplerTapes(
        trace(inputs, {"found": _begin(q, v, mu, span)}),
        trace(inputs, {"s": improved, "change": [change]}),
        trace(inputs, {"moved": moved, "hurried": hurried, "missed": [missed]}),
    )


def _begin(q, v, mu, span) -> list[Any]:
    r, eta = sqrt(dot(q, q)), dot(q, v)
    beta = 2.0 * mu / r - dot(v, v)
    zeta = mu - beta * r
    bound = where(beta > 0.0, beta, 1.0)
    rate = bound * sqrt(bound) / (2.0 * pi * mu)
    turns = where(beta > 0.0, floor(span * rate + 0.5), 0.0)
    dt = where(turns == 0.0, span, span - turns / rate)
    unit = dt / r
    bend = eta / r
    guess = unit - 0.5 * bend * unit * unit + (0.5 * bend * bend - zeta / (6.0 * r)) * unit * unit * unit
    width = KEPLER_WIDEST / sqrt(maximum(absolute(beta), NEARLY_PARABOLIC * mu / r))
    low, high = where(dt < 0.0, -1.0 * width, 0.0), where(dt < 0.0, 0.0, width)
    s = where(guess >= low, where(guess <= high, guess, 0.5 * (low + high)), 0.5 * (low + high))
    return [r, eta, beta, zeta, dt, s, low, high]


def _improve(found) -> tuple[list[Any], Any]:
    """A step of Halley's method, or half the bounds where that leaves them."""
    r, eta, beta, zeta, dt, s, low, high = found
    c0, c1, c2, c3 = stumpff(beta * s * s)
    G1, G2, G3 = s * c1, s * s * c2, s * s * s * c3
    off, slope, bend = r * s + eta * G2 + zeta * G3 - dt, r + eta * G1 + zeta * G2, eta * c0 + zeta * G1
    low, high = where(off < 0.0, s, low), where(off > 0.0, s, high)
    trial = s - off * slope / (slope * slope - 0.5 * off * bend)
    middle = 0.5 * (low + high)
    made = where(trial >= low, where(trial <= high, trial, middle), middle)
    return [made, low, high], absolute(made - s)
