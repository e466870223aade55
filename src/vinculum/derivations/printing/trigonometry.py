"""Harmonics as sines and cosines, in the shortest of several forms."""

import itertools
from fractions import Fraction
from functools import reduce
from math import comb, gcd
from typing import Any

from vinculum.derivations.printing.sums import Harmonic, Monomial
from vinculum.tolerances.sizes import ANGLES_OF_A_PRODUCT, HIGHEST_HARMONIC

Polynomial = dict[Monomial, Fraction]
Trig = tuple[tuple[str, Harmonic, int], ...]
"""A product of (function, angle, power)."""


def write_trigonometry(terms: dict[tuple[Monomial, Harmonic], tuple[Fraction, Fraction]]) -> dict[Trig, Polynomial]:
    """Real terms of a sum whose monomials hold parameters only: for every product of sines and cosines its polynomial.

    Either harmonics, as cos(a − b), or products of sines and cosines of single angles, as sin² a: whichever has fewer terms.
    """
    candidates = [_harmonics(terms)]
    for angles in _choices({h for _, h in terms if h}):
        for kept in itertools.product(("cos", "sin"), repeat=len(angles)):
            candidates.append(_products(terms, angles, kept))
    return min(reversed(candidates), key=lambda found: (sum(map(len, found.values())), _degree(found)))


def _choices(harmonics: set[Harmonic]) -> list[list[Harmonic]]:
    """Angles whose whole multiples make up all harmonics: the single ones, and the one direction that all may share."""
    if any(not m or x.denominator != 1 for h in harmonics for m, x in h):
        return []
    single: set[Harmonic] = {((m, Fraction(1)),) for h in harmonics for m, _ in h}
    choices = [sorted(single)]
    directions = {_direction(h) for h in harmonics}
    if len(directions) == 1 and [*directions] != choices[0]:
        choices.append([*directions])
    return [angles for angles in choices if 0 < len(angles) <= ANGLES_OF_A_PRODUCT
            and all(abs(k) <= HIGHEST_HARMONIC for h in harmonics for k in _multiples(h, angles))]  # fmt: skip


def _direction(h: Harmonic) -> Harmonic:
    common = reduce(gcd, (abs(x.numerator) for _, x in h))
    sign = 1 if _is_forward(h) else -1
    return tuple((m, x / common * sign) for m, x in h)


def _multiples(h: Harmonic, angles: list[Harmonic]) -> list[int]:
    """How often each angle is contained in a harmonic."""
    table = dict(h)
    return [int(table.get(angle[0][0], 0) / angle[0][1]) for angle in angles]


def _degree(found: dict[Trig, Polynomial]) -> int:
    return sum(power for trig in found for _, _, power in trig)


def _harmonics(terms) -> dict[Trig, Polynomial]:
    found: dict[Trig, Polynomial] = {}
    for (m, h), (x, y) in terms.items():
        if not h:
            found.setdefault((), {})[m] = x
        elif _is_forward(h):
            if x:
                found.setdefault((("cos", h, 1),), {})[m] = 2 * x
            if y:
                found.setdefault((("sin", h, 1),), {})[m] = -2 * y
    return found


def _is_forward(h: Harmonic) -> bool:
    """Whether an angle and not its negative is written: most signs positive, or else the first one."""
    signs = sum(1 if x > 0 else -1 for _, x in h)
    return signs > 0 or (signs == 0 and h[0][1] > 0)


def _products(terms, angles: list[Harmonic], kept: tuple[str, ...]) -> dict[Trig, Polynomial]:
    """exp(i k a) = (cos a + i sin a)^k multiplied out; of each angle only one function has powers above one."""
    found: dict[tuple, Any] = {}
    for (m, h), (x, y) in terms.items():
        expanded = {((0, 0),) * len(angles): (x, y)}
        for place, k in enumerate(_multiples(h, angles)):
            expanded = _multiply_by_exponential(expanded, place, k)
        for powers, c in expanded.items():
            for lower, factor in _lower_powers(powers, kept):
                key = (lower, m)
                found[key] = found.get(key, Fraction(0)) + factor * c[0]
    result: dict[Trig, Polynomial] = {}
    for (powers, m), x in found.items():
        if x:
            result.setdefault(_trig(angles, powers), {})[m] = x
    return result


def _multiply_by_exponential(expanded: dict, place: int, k: int) -> dict:
    result: dict = {}
    sign = 1 if k >= 0 else -1
    for powers, (x, y) in expanded.items():
        for j in range(abs(k) + 1):
            factor = comb(abs(k), j)
            u, w = ((x, y), (-y * sign, x * sign), (-x, -y), (y * sign, -x * sign))[j % 4]
            c, s = powers[place]
            key = (*powers[:place], (c + abs(k) - j, s + j), *powers[place + 1 :])
            a, b = result.get(key, (Fraction(0), Fraction(0)))
            result[key] = (a + factor * u, b + factor * w)
    return result


def _lower_powers(powers, kept: tuple[str, ...]) -> list[tuple[tuple, int]]:
    """Products with the even powers of the function that is not kept replaced by one minus the other's square."""
    result: list[tuple[tuple, int]] = [((), 1)]
    for (c, s), keep in zip(powers, kept, strict=True):
        other, own = (s, c) if keep == "cos" else (c, s)
        pairs, odd = divmod(other, 2)
        options = [(own + 2 * j, odd, (-1) ** j * comb(pairs, j)) for j in range(pairs + 1)]
        result = [
            ((*done, (a, b) if keep == "cos" else (b, a)), factor * f) for done, factor in result for a, b, f in options
        ]
    return result


def _trig(angles: list[Harmonic], powers) -> Trig:
    parts = []
    for angle, (c, s) in zip(angles, powers, strict=True):
        for name, power in (("sin", s), ("cos", c)):
            if power:
                parts.append((name, angle, power))
    return tuple(parts)
