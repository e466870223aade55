"""Sums as LaTeX, term by term, in textbook order."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from vinculum.derivations.printing.canonical import Algebra
from vinculum.derivations.printing.sums import Harmonic, Monomial, Sum, merge
from vinculum.derivations.printing.terms import Term, content, terms
from vinculum.tolerances.sizes import LONGEST_DENOMINATOR

OPEN = r"\left("
RELATIONS = {"lt": "<", "le": r"\leq", "eq": "=", "ne": r"\neq", "and": r"\wedge", "or": r"\vee"}
FUNCTIONS = frozenset({"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "min", "max"})


@final
@dataclass(frozen=True, eq=False)
class Writer:
    """Text for the atoms of an algebra. ``names``, ``ranks``: LaTeX and place in a product of each leaf, by its key;
    ranks from 0 on are parameters, then coordinates, rates and momenta follow."""

    algebra: Algebra
    names: dict[tuple, str]
    ranks: dict[tuple, tuple]

    def terms(self, total: Sum) -> list[Term]:
        """The terms of a sum, grouped."""
        return terms(total, self.is_fixed, self.order)

    def sum(self, total: Sum) -> str:
        """A sum in one line; what stands over one denominator is one fraction."""
        groups: dict[Monomial, Sum] = {}
        for (m, h), c in total.items():
            below = tuple(part for part in m if self._is_inverse(part[0]))
            groups.setdefault(below, {})[tuple(part for part in m if part not in below), h] = c
        parts: list[tuple[bool, str]] = []
        for below in sorted(groups, reverse=True):
            parts += [self._fraction(groups[below], below)] if below else map(self.term, self.terms(groups[below]))
        return unwrap(join_terms(parts)) or "0"

    def _fraction(self, total: Sum, below: Monomial) -> tuple[bool, str]:
        """A sum over a product of denominators, (is negative, text)."""
        lowest: dict[int, int] = {}
        for m, _ in total:
            for n, e in m:
                lowest[n] = min(lowest.get(n, 0), e)
        found = self.terms(
            {(merge(m, tuple((n, -e) for n, e in lowest.items() if e)), h): c for (m, h), c in total.items()}
        )
        number, scaled = content([((), term.number) for term in found])
        bottom: list[str] = []
        self._product(tuple((n, e) for n, e in lowest.items() if e), [], bottom)
        texts = []
        for n, e in below:
            inner, factor, single = self._denominator(n)
            number /= factor**e
            texts.append((inner, e, single))
        alone = len(texts) == 1 and not bottom and number.denominator == 1
        bottom += [
            inner if e == 1 and (alone or single) else _power_text(rf"\left({inner}\right)", e)
            for inner, e, single in texts
        ]
        front, below_front = _numbers(abs(number))
        above = join_terms(self.term(replace(term, number=x)) for term, (_, x) in zip(found, scaled, strict=True))
        if front:
            above = f"{front} {above if len(found) == 1 and above != '1' else wrap(above)}"
        bottom = [*below_front, *bottom]
        return number < 0, rf"\frac{{{unwrap(above)}}}{{{' '.join(bottom)}}}"

    def _denominator(self, atom: int) -> tuple[str, Fraction, bool]:
        """The text of what an atom divides by, the number that is taken out of it, and whether it is a single term."""
        found = self.terms(dict(self.algebra.atoms[atom][1]))
        number, scaled = content([((), term.number) for term in found])
        text = join_terms(self.term(replace(term, number=x)) for term, (_, x) in zip(found, scaled, strict=True))
        return unwrap(text), number, len(found) == 1 and unwrap(text) == text

    def coefficient(self, total: Sum, behind: str) -> list[tuple[bool, str]]:
        """A sum that multiplies what stands behind it, as (is negative, text); nothing if it is zero."""
        found = self.terms(total)
        over = any(self._is_inverse(n) for m, _ in total for n, _ in m)
        if len(found) == 1 and not over:
            return [self.term(found[0], behind)]
        return [(False, rf"\left({self.sum(total)}\right) {behind}")] if found else []

    def term(self, term: Term, behind: str = "") -> tuple[bool, str]:
        """One term, as (is negative, text)."""
        above: list[str] = []
        below: list[str] = []
        if term.sum:
            above.append(self._bracket(term.sum))
        self._product(term.monomial, above, below)
        late: list[str] = []
        if len(term.moving) == 1:
            self._product(term.moving[0][0], above, below, late)
        else:
            late.append(self._bracket(term.moving))
        # sines and cosines last: what followed them would be read as part of their argument
        above += late + ([behind] if behind else []) + [self._trig(*part) for part in term.trig]
        size = abs(term.number)
        if below:
            front, below_front = _numbers(size)
            numerator = " ".join(([front] if front else []) + above) or "1"
            return term.number < 0, rf"\frac{{{unwrap(numerator)}}}{{{' '.join([*below_front, *below])}}}"
        return term.number < 0, " ".join(([decimal(size)] if size != 1 or not above else []) + above)

    def is_fixed(self, atom: int) -> bool:
        """Whether an atom is a parameter, or a denominator, which is written as one."""
        return self._rank(atom)[0] == 0 or self._is_inverse(atom)

    def _is_inverse(self, atom: int) -> bool:
        return self.algebra.atoms[atom][0] == "inverse"

    def order(self, m: Monomial) -> tuple:
        """A key that sorts monomials: highest powers of rates first, then by letters."""
        rates = sum(e for n, e in m if self._rank(n)[0] == 2)
        return (-rates, tuple((self._rank(n), -e) for n, e in sorted(m, key=lambda part: self._rank(part[0]))))

    def _rank(self, atom: int) -> tuple:
        key = self.algebra.atoms[atom]
        return self.ranks.get(key, (1, 9, str(atom))) if key[0] == "leaf" else (1, 9, str(atom))

    def _product(self, m: Monomial, above: list[str], below: list[str], late: list[str] | None = None) -> None:
        for n, e in sorted(m, key=lambda part: self._rank(part[0])):
            place = late if late is not None and self._rank(n)[0] == 2 else above
            if self._is_inverse(n):
                (below if e > 0 else place).append(
                    _power_text(rf"\left({self.sum(dict(self.algebra.atoms[n][1]))}\right)", abs(e))
                )
            else:
                (below if e < 0 else place).append(_power_text(self.atom(n), abs(e)))

    def atom(self, n: int) -> str:
        """The text of an atom."""
        op, *args = self.algebra.atoms[n]
        if op == "leaf":
            return self.names[self.algebra.atoms[n]]
        inner = [self.sum(dict(a)) for a in args]
        if op == "sqrt":
            return rf"\sqrt{{{inner[0]}}}"
        if op == "pow":
            return rf"\left({inner[0]}\right)^{{{inner[1]}}}"
        if op == "abs":
            return rf"\left|{inner[0]}\right|"
        if op in RELATIONS:
            return rf"\left({inner[0]} {RELATIONS[op]} {inner[1]}\right)"
        if op.startswith("table "):
            op = op.split()[1].replace("_", r"\_")
        name = rf"\{op}" if op in FUNCTIONS else rf"\mathrm{{{op}}}"
        return rf"{name}\left({', '.join(inner)}\right)"

    def _bracket(self, parts: Iterable[tuple[Monomial, Fraction]]) -> str:
        return rf"\left({join_terms(self.term(Term(x, (), (), (), ((m, Fraction(1)),))) for m, x in parts)}\right)"

    def _trig(self, name: str, angle: Harmonic, power: int) -> str:
        head = rf"\{name}" + (f"^{{{power}}}" if power != 1 else "")
        ordered = sorted(angle, key=lambda part: (part[1] < 0, self.order(part[0])))
        parts = [self.term(Term(x, (), (), (), ((m, Fraction(1)),))) for m, x in ordered]
        inner = join_terms(parts)
        return (
            f"{head} {inner}"
            if len(angle) == 1 and angle[0][1] == 1 and len(angle[0][0]) == 1
            else rf"{head}\left({inner}\right)"
        )


def join_terms(parts: Iterable[tuple[bool, str]]) -> str:
    """Terms with their signs between them."""
    text = ""
    for negative, term in parts:
        text += (" - " if negative else " + ") + term if text else ("-" if negative else "") + term
    return text


def unwrap(text: str) -> str:
    """A text without the brackets around all of it."""
    depth = 0
    for found in re.finditer(r"\\left\(|\\right\)", text):
        depth += 1 if found[0] == OPEN else -1
        if depth == 0:
            whole = text.startswith(OPEN) and found.end() == len(text)
            return text[len(OPEN) : found.start()] if whole else text
    return text


def wrap(text: str) -> str:
    """A text in brackets."""
    return rf"\left({text}\right)"


def _numbers(x: Fraction) -> tuple[str, list[str]]:
    """A positive number as what stands above a fraction line (nothing for 1) and below it."""
    if max(x.numerator, x.denominator) > LONGEST_DENOMINATOR and x.denominator != 1:
        return decimal(x), []
    return "" if x.numerator == 1 else str(x.numerator), [] if x.denominator == 1 else [str(x.denominator)]


def decimal(x: Fraction) -> str:
    """A number: whole, a fraction, or a decimal where the fraction would be long."""
    if x.denominator == 1 and abs(x.numerator) < 10**9:
        return str(x.numerator)
    if x.denominator <= LONGEST_DENOMINATOR and abs(x.numerator) <= LONGEST_DENOMINATOR:
        return rf"\frac{{{x.numerator}}}{{{x.denominator}}}"
    mantissa, _, exponent = f"{float(x):.12g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _power_text(text: str, power: int) -> str:
    return text if power == 1 else f"{text}^{{{power}}}"
