"""How names are written in formulas: Greek letters, subscripts and dots."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from vinculum.systems import Tree

GREEK = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "pi",
        "rho",
        "sigma",
        "tau",
        "upsilon",
        "phi",
        "chi",
        "psi",
        "omega",
        "Gamma",
        "Delta",
        "Theta",
        "Lambda",
        "Xi",
        "Pi",
        "Sigma",
        "Upsilon",
        "Phi",
        "Psi",
        "Omega",
    ]
)
PARTS = re.compile(r"[A-Za-z]+|\d+|[^\W\d_]+")
PLAIN = {"rad": "theta", "m": "x", "1": "f"}
TURNING, MOVING = {"wx": "x", "wy": "y", "wz": "z"}, {"vx": "x", "vy": "y", "vz": "z"}


@final
@dataclass(frozen=True)
class Letter:
    """A base with subscripts. ``dots`` stand over the base."""

    base: str
    subscripts: tuple[str, ...] = ()
    dots: int = 0

    def dot(self, dots: int = 1) -> "Letter":
        """The time derivative of it."""
        return Letter(self.base, self.subscripts, self.dots + dots)

    @property
    def latex(self) -> str:
        base = _word(self.base)
        if self.dots:
            base = f"\\{'d' * self.dots}ot{{{base}}}"
        below = ",".join(_word(part) for part in self.subscripts)
        return f"{base}_{{{below}}}" if below else base

    @property
    def plain(self) -> str:
        """The name as programs write it."""
        return "_".join([self.base, *self.subscripts]) + "_dot" * (self.dots == 1) + "_ddot" * (self.dots == 2)


def letter(name: str) -> Letter:
    """The letter of a name: theta_1 and theta1 are θ₁, m is m, cart_mass is a word with a subscript."""
    parts = PARTS.findall(name) or ["x"]
    parts = ["q", *parts] if parts[0].isdigit() else parts
    return Letter(parts[0], tuple(parts[1:]))


def q_letters(tree: Tree) -> list[Letter]:
    """A letter for every coordinate, from the joint's name and the coordinate's label and unit."""
    result = []
    for link in tree.links:
        for label, unit in zip(link.joint.kind.coordinates.q_labels, link.joint.kind.coordinates.q_units, strict=True):
            result.append(_coordinate(letter(link.joint.name), label, PLAIN.get(unit, "q")))
    return result


def mass_letters(tree: Tree) -> list[Letter]:
    """A letter for every mass that is part of the state: m with the body's name."""
    own = [letter(link.body.name) for link in tree.varying]
    return [Letter("m", (one.base, *one.subscripts)) for one in own]


def mu_letters(tree: Tree) -> list[Letter]:
    """A letter for every multiplier that is part of the state: μ with the constraint's name and the row's number."""
    result = []
    for one in tree.constraints:
        own, count = letter(one.constraint.name), one.mu.stop - one.mu.start
        numbers = [()] if count == 1 else [(str(i + 1),) for i in range(count)]
        result += [Letter("mu", (own.base, *own.subscripts, *number)) for number in numbers[:count]]
    return result


def _coordinate(own: Letter, label: str, plain: str) -> Letter:
    owner = (own.base, *own.subscripts)
    if not label:
        return own if len(own.base) == 1 or own.base in GREEK else Letter(plain, owner)
    label = label.removeprefix("q") or label
    if plain == "f" and label in ("w", "x", "y", "z"):
        return Letter("q", (*owner, label))
    head = letter(label)
    if len(head.base) == 1 or head.base in GREEK:
        return Letter(head.base, (*head.subscripts, *owner))
    return Letter(plain, owner if label == "angle" else (*owner, label))


def v_letters(tree: Tree, coordinates: Sequence[Letter]) -> list[Letter]:
    """A letter for every velocity: the dotted coordinate where it is its rate."""
    result = []
    for link in tree.links:
        own = letter(link.joint.name)
        for k, label in enumerate(link.joint.kind.coordinates.v_labels):
            if link.joint.kind.coordinates.v_labels == link.joint.kind.coordinates.q_labels:
                result.append(coordinates[link.q.start + k].dot())
            else:
                base, axis = ("omega", TURNING[label]) if label in TURNING else ("v", MOVING.get(label, label))
                result.append(Letter(base, (own.base, *own.subscripts, axis)))
    return result


def unique(letters: list[Letter], taken: Iterable[str] = ()) -> list[Letter]:
    """The letters, changed where two would be read as one, or one as something else (``taken``: names of parameters, time, …)."""
    known = {letter(name).latex for name in taken}
    seen: dict[str, int] = {}
    result = []
    for one in letters:
        if one.latex in known:
            one = Letter("q", (one.base, *one.subscripts), one.dots)
        count = seen[one.latex] = seen.get(one.latex, 0) + 1
        result.append(one if count == 1 else Letter(one.base, (*one.subscripts, str(count)), one.dots))
    return result


def _word(part: str) -> str:
    if part in GREEK:
        return f"\\{part}"
    return part if len(part) == 1 or part.isdigit() else f"\\mathrm{{{part}}}"
