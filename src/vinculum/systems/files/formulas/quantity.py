"""Quantities in strings, such as ``"30 deg"`` or ``"9.81 m/s^2"``: a number and a unit, as an SI float."""

import difflib
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import final

from vinculum.errors import FileError
from vinculum.tolerances.sizes import LARGEST_EXPONENT, LONGEST_NUMBER, LONGEST_QUANTITY

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_QUANTITY = re.compile(rf"({NUMBER})(?![eE][+-]?\d)\s*((?:[A-Za-z°µμ]|1\s*/)[A-Za-z0-9°µμ²³^*/·\s-]*)")
_FACTOR = re.compile(r"([A-Za-z°µμ]+)\s*(?:(?:\^|\*\*)\s*(-?\d{1,2}))?")
_SUPERSCRIPTS = str.maketrans({"²": "^2", "³": "^3", "·": "*", "μ": "µ"})


@final
@dataclass(frozen=True)
class Unit:
    """A unit as a multiple ``factor · π^turns`` of the SI unit with the exponents ``dimension`` of kg, m and s."""

    factor: Fraction
    dimension: tuple[int, int, int]
    turns: int = 0

    def times(self, other: "Unit", power: int) -> "Unit":
        """The product of this unit and a power of another."""
        a, b = self.dimension, other.dimension
        dimension = (a[0] + power * b[0], a[1] + power * b[1], a[2] + power * b[2])
        return Unit(self.factor * other.factor**power, dimension, self.turns + power * other.turns)


def _unit(factor: str, kg: int = 0, m: int = 0, s: int = 0, turns: int = 0) -> Unit:
    return Unit(Fraction(factor), (kg, m, s), turns)


UNITS: dict[str, Unit] = {
    "m": _unit("1", m=1), "km": _unit("1000", m=1), "dm": _unit("0.1", m=1), "cm": _unit("0.01", m=1),
    "mm": _unit("0.001", m=1), "um": _unit("1e-6", m=1), "µm": _unit("1e-6", m=1), "inch": _unit("0.0254", m=1),
    "ft": _unit("0.3048", m=1), "kg": _unit("1", kg=1), "g": _unit("0.001", kg=1), "mg": _unit("1e-6", kg=1),
    "tonne": _unit("1000", kg=1), "lb": _unit("0.45359237", kg=1), "s": _unit("1", s=1), "ms": _unit("0.001", s=1),
    "us": _unit("1e-6", s=1), "µs": _unit("1e-6", s=1), "min": _unit("60", s=1), "h": _unit("3600", s=1),
    "day": _unit("86400", s=1), "rad": _unit("1"), "mrad": _unit("0.001"), "deg": _unit("1/180", turns=1),
    "°": _unit("1/180", turns=1), "rev": _unit("2", turns=1), "rpm": _unit("1/30", s=-1, turns=1),
    "N": _unit("1", 1, 1, -2), "mN": _unit("0.001", 1, 1, -2), "kN": _unit("1000", 1, 1, -2),
    "MN": _unit("1e6", 1, 1, -2), "J": _unit("1", 1, 2, -2), "mJ": _unit("0.001", 1, 2, -2),
    "kJ": _unit("1000", 1, 2, -2), "W": _unit("1", 1, 2, -3), "kW": _unit("1000", 1, 2, -3),
    "Pa": _unit("1", 1, -1, -2), "kPa": _unit("1000", 1, -1, -2), "MPa": _unit("1e6", 1, -1, -2),
    "GPa": _unit("1e9", 1, -1, -2),
}  # fmt: skip
"""Every unit of a model file. Hz is left out: a rate of "1 Hz" could mean 1 or 2π radians per second."""


@final
@dataclass(frozen=True)
class Quantity:
    """A value in SI units, with its unit as written and its dimension."""

    value: float
    unit: str
    dimension: tuple[int, int, int]


def quantity(where: str, text: str) -> Quantity | None:
    """The quantity that ``text`` writes, or None if it does not read as a number and a unit."""
    found = _QUANTITY.fullmatch(text.strip()) if len(text) <= LONGEST_QUANTITY else None
    if found is None:
        return None
    number, written = found.group(1), found.group(2).strip()
    unit = parse_unit(where, text, written)
    if len(number) > LONGEST_NUMBER or abs(int((re.split("[eE]", number) + ["0"])[1])) > LARGEST_EXPONENT:
        raise FileError(f'{where}: the number of "{text}" has too many digits; write it as 1.5e3')
    # Exact until the last rounding: 7 cm is the float 0.07, and 180 deg the float π.
    exact = Fraction(number) * unit.factor
    try:
        value = float(exact) * math.pi**unit.turns
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise FileError(f'{where}: "{text}" is not finite; use a smaller number')
    return Quantity(value, written, unit.dimension)


def parse_unit(where: str, text: str, written: str) -> Unit:
    """The unit of a product such as ``N m/rad`` or ``kg m^2``; after a slash only further slashes may follow."""
    result, divided, rest = Unit(Fraction(1), (0, 0, 0)), False, written.translate(_SUPERSCRIPTS).strip()
    if re.match(r"1\s*/", rest):
        rest = rest[1:].strip()
    elif not rest.startswith("/"):
        rest = "*" + rest
    while rest:
        power = -1 if rest[0] == "/" else 1
        if divided and power == 1:
            raise FileError(f'{where}: the unit "{written}" of "{text}" multiplies after a division, which can be read '
                            'in two ways; write "N m s/rad" or "kg/m/s"')  # fmt: skip
        divided = divided or power == -1
        found = _FACTOR.match(rest.lstrip("*/ "))
        if found is None or rest[0] not in "*/" or rest[:2] in ("**", "//"):
            raise FileError(f'{where}: the unit "{written}" of "{text}" cannot be read at "{rest}"; write units as in '
                            '"N m/rad" or "kg m^2"')  # fmt: skip
        result = result.times(_known_unit(where, text, found.group(1)), power * int(found.group(2) or 1))
        rest = rest.lstrip("*/ ")[found.end() :].strip()
        if rest and rest[0] not in "*/":
            rest = "*" + rest
    return result


@cache
def dimension_of(unit: str) -> tuple[int, int, int]:
    """Exponents of kg, m and s of a unit; ``"1"`` has none."""
    return (0, 0, 0) if unit == "1" else parse_unit("unit", unit, unit).dimension


def _known_unit(where: str, text: str, name: str) -> Unit:
    name = name.replace("μ", "µ")
    if name not in UNITS:
        near = difflib.get_close_matches(name, UNITS, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known units: {', '.join(UNITS)}"
        raise FileError(f"{where}: the unit '{name}' of \"{text}\" is not known; {hint} (a product with a parameter "
                        "is written with *, as in 2*m)")  # fmt: skip
    return UNITS[name]
