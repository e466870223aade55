"""Formulas in LaTeX, as this room and SymPy write them, turned into MathML, which browsers show without any program."""

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

from vinculum.derivations.printing.widths import PRINTED_LINE, formula_width

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\s+|.", re.S)
ACCENTS = {"\\dot": ".", "\\ddot": "..", "\\dddot": "...", "\\ddddot": "....", "\\bar": "¯", "\\hat": "^", "\\tilde": "~"}  # fmt: skip
GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "zeta": "ζ", "eta": "η", "theta": "θ", "iota": "ι",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ",
    "phi": "ϕ", "chi": "χ", "psi": "ψ", "omega": "ω", "varepsilon": "ε", "vartheta": "ϑ", "varphi": "φ", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
SIGNS = {f"\\{name}": sign for name, sign in GREEK.items()} | {
    "\\infty": "∞",
    "\\partial": "∂",
    "\\ell": "ℓ",
    "\\hbar": "ℏ",
}
OPERATORS = {
    "+": "+", "-": "−", "=": "=", "<": "&lt;", ">": "&gt;", ",": ",", "/": "/", "*": "∗", "!": "!", "'": "′", ":": ":", ";": ";",
    "\\cdot": "⋅", "\\times": "×", "\\leq": "≤", "\\le": "≤", "\\geq": "≥", "\\ge": "≥", "\\neq": "≠", "\\ne": "≠",
    "\\wedge": "∧", "\\vee": "∨", "\\neg": "¬", "\\pm": "±", "\\mp": "∓", "\\bmod": "mod", "\\to": "→", "\\in": "∈",
}  # fmt: skip
BREAKS = {"+", "−", "=", "&lt;", "&gt;", "≤", "≥", "≠", "±"}
"""A line may be broken before these."""
FUNCTIONS = frozenset(
    ["\\sin", "\\cos", "\\tan", "\\cot", "\\sec", "\\csc", "\\sinh", "\\cosh", "\\tanh", "\\coth", "\\arcsin", "\\arccos", "\\arctan",
     "\\exp", "\\log", "\\ln", "\\min", "\\max"]
)  # fmt: skip
FENCES = {"(": "(", ")": ")", "[": "[", "]": "]", "|": "|", "\\{": "{", "\\}": "}", ".": "", "\\lfloor": "⌊", "\\rfloor": "⌋",
          "\\lceil": "⌈", "\\rceil": "⌉", "\\lvert": "|", "\\rvert": "|", "\\langle": "⟨", "\\rangle": "⟩"}  # fmt: skip
SPACES = {
    "\\,": "0.17em",
    "\\:": "0.22em",
    "\\;": "0.28em",
    "\\ ": "0.25em",
    "\\quad": "1em",
    "\\qquad": "2em",
    "~": "0.25em",
    "\\!": "0",
}
WORDS = {"\\mathrm": "name", "\\operatorname": "function", "\\text": "text", "\\mathtt": "text", "\\mathit": "name"}
TIMES, APPLY = "<mo>&#8290;</mo>", "<mo>&#8289;</mo>"
THIN = '<mspace width="0.17em"/>'
WORD = re.compile(r"(?:<m(?:sub|sup|subsup|over)[^>]*>)*<mi>\w{2,}")
SHORT_BRACKETS = PRINTED_LINE / 4
"""Ems of brackets that are not broken, as those of cos(a - b)."""


class Item(NamedTuple):
    """A piece of a formula: ``kind`` is operand, function, operator or space. ``inner``: what brackets hold, between ``fences``."""

    kind: str
    text: str
    inner: "tuple[Item, ...]" = ()
    fences: tuple[str, str] = ("", "")


def mathml(latex: str) -> str:
    """A formula as one ``<math>`` element."""
    return f'<math display="inline" displaystyle="true">{_side_by_side(_Reader(latex).items())}</math>'


def mathml_terms(latex: str) -> list[str]:
    """A formula as ``<math>`` elements, one for each of its terms, between which a browser may break the line."""
    return [
        f'<math display="inline" displaystyle="true"{_fit(one)}>{one}</math>' for one in _terms(_Reader(latex).items())
    ]


def _fit(piece: str) -> str:
    """The style of a piece that is wider than a printed line: by how much print makes it smaller."""
    width = formula_width(piece)
    return f' style="--fit:{PRINTED_LINE / width:.3f}"' if width > PRINTED_LINE else ""


def mathml_block(lines: Sequence[str]) -> str:
    """Formulas one below the other, in the class ``equation``. Pieces that cannot be broken to the width of a printed page carry ``--fit``,
    the factor by which they become smaller in print."""
    return "".join(f'<div class="equation">{" ".join(mathml_terms(line))}</div>' for line in lines)


class _Reader:
    """A reader of LaTeX, token by token."""

    def __init__(self, latex: str):
        self._tokens = TOKEN.findall(latex)
        self._place = 0

    def items(self) -> list[Item]:
        """Everything there is."""
        found = self._until(())
        while self._place < len(self._tokens):  # a bracket too many is shown as it is
            found.append(_operator(html.escape(self._next())))
            found += self._until(())
        return found

    def _next(self) -> str:
        token = self._ahead()
        self._place += 1
        return token

    def _ahead(self) -> str:
        while self._place < len(self._tokens) and self._tokens[self._place].isspace():
            self._place += 1
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _until(self, ends: tuple[str, ...]) -> list[Item]:
        found: list[Item] = []
        while (token := self._ahead()) and token not in ends and token not in ("}", "\\right", "\\end"):
            if token in ("^", "_"):
                found.append(self._with_scripts(found.pop() if found else Item("operand", "<mrow></mrow>")))
            else:
                found.append(self._item())
        return found

    def _with_scripts(self, base: Item) -> Item:
        below = above = ""
        while (token := self._ahead()) in ("^", "_") and not (above if token == "^" else below):
            self._next()
            script = _row(self._group())
            below, above = (below, script) if token == "^" else (script, above)
        name = "msubsup" if below and above else "msub" if below else "msup"
        return Item("function" if base.kind == "function" else "operand", f"<{name}>{base.text}{below}{above}</{name}>")

    def _group(self) -> list[Item]:
        """What stands in braces, or the next piece."""
        if self._ahead() != "{":
            return [self._item()] if self._ahead() else []
        self._next()
        found = self._until(())
        if self._ahead() == "}":
            self._next()
        return found

    def _raw(self) -> str:
        """The characters in braces, as they are."""
        if self._ahead() != "{":
            return self._next().removeprefix("\\")
        self._next()
        depth, found = 1, ""
        while self._place < len(self._tokens):
            token = self._tokens[self._place]
            self._place += 1
            depth += (token == "{") - (token == "}")
            if depth == 0:
                break
            found += token[1:] if token.startswith("\\") and not token[1:2].isalpha() else token
        return found

    def _item(self) -> Item:
        token = self._next()
        if token == "{":
            self._place -= 1
            inside = self._group()
            return inside[0] if len(inside) == 1 else Item("operand", _row(inside))
        if token[0].isdigit():
            return Item("operand", f"<mn>{token}</mn>")
        if token in SIGNS:
            upright = ' mathvariant="normal"' if SIGNS[token].isupper() else ""
            return Item("operand", f"<mi{upright}>{SIGNS[token]}</mi>")
        if token in OPERATORS:
            return _operator(OPERATORS[token])
        if token in FUNCTIONS:
            return Item("function", f"<mi>{token[1:]}</mi>")
        if token in SPACES:
            return Item("space", f'<mspace width="{SPACES[token]}"/>')
        if token in ACCENTS:
            return Item("operand", f"<mover>{_row(self._group())}<mo>{ACCENTS[token]}</mo></mover>")
        if token in WORDS:
            return _word(WORDS[token], self._raw())
        return self._structure(token)

    def _structure(self, token: str) -> Item:
        if token in ("\\frac", "\\dfrac", "\\tfrac"):
            return Item("operand", f"<mfrac>{_row(self._group())}{_row(self._group())}</mfrac>")
        if token == "\\sqrt":
            degree = ""
            if self._ahead() == "[":
                self._next()
                degree = _row(self._until(("]",)))
                self._next()
            inside = _row(self._group())
            return Item("operand", f"<mroot>{inside}{degree}</mroot>" if degree else f"<msqrt>{inside}</msqrt>")
        if token == "\\left":
            opening = FENCES.get(self._next(), "")
            inside = self._until(())
            self._next()
            closing = FENCES.get(self._next(), "")
            return _in_fences(inside, opening, closing)
        if token == "\\begin":
            return self._table(self._raw())
        if token in FENCES:
            return _operator(FENCES[token])
        known = not token.startswith("\\") or not token[1:2].isalpha()
        text = html.escape(token.removeprefix("\\") if known else token)
        return Item("operand", f"<mi>{text}</mi>" if known and text.isalpha() else f"<mtext>{text}</mtext>")

    def _table(self, name: str) -> Item:
        rows: list[list[str]] = [[]]
        while self._ahead():
            rows[-1].append(f"<mtd>{_row(self._until(('&', chr(92) * 2)))}</mtd>")
            token = self._next()
            if token == "\\\\":
                rows.append([])
            elif token != "&":
                self._raw()
                break
        lines = "".join(f"<mtr>{cells}</mtr>" for row in rows if (cells := "".join(row)))
        text = f"<mtable>{lines}</mtable>"
        opening, closing = {"cases": ("{", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]")}.get(name, ("", ""))
        return _in_fences([Item("operand", text)], opening, closing)


def _operator(sign: str) -> Item:
    return Item("operator", f"<mo>{sign}</mo>")


def _word(kind: str, raw: str) -> Item:
    text = html.escape(raw)
    if kind == "text":
        return Item("operand", f"<mtext>{text.replace(' ', '&#160;')}</mtext>")
    upright = ' mathvariant="normal"' if len(raw) == 1 else ""
    return Item("function" if kind == "function" else "operand", f"<mi{upright}>{text}</mi>")


def _in_fences(inside: Sequence[Item], opening: str, closing: str) -> Item:
    parts = [f"<mo>{fence}</mo>" if fence else "" for fence in (opening, closing)]
    text = f"<mrow>{parts[0]}{_row(inside)}{parts[1]}</mrow>"
    return Item("operand", text, tuple(inside), (opening, closing))


def _side_by_side(items: Sequence[Item]) -> str:
    """Pieces side by side: what is multiplied and what is a function's argument is told to those who hear the formula."""
    text, before = "", None
    for item in items:
        if item.kind in ("operand", "function") and before is not None:
            text += _between(before, item)
        text += item.text
        before = None if item.kind == "operator" else before if item.kind == "space" else item
    return text


def _between(before: Item, item: Item) -> str:
    """The unseen sign between two pieces, with a space where letters would run into each other."""
    apart = THIN if not item.fences[0] and any(_is_word(one) for one in (before, item)) else ""
    return (APPLY if before.kind == "function" else TIMES) + apart


def _is_word(item: Item) -> bool:
    return item.kind == "function" or WORD.match(item.text) is not None


def _row(items: Sequence[Item]) -> str:
    return items[0].text if len(items) == 1 else f"<mrow>{_side_by_side(items)}</mrow>"


def _terms(items: Sequence[Item]) -> list[str]:
    """The terms of a sum or relation, each with the sign before it."""
    groups: list[list[Item]] = []
    for item in items:
        sign = item.text.removeprefix("<mo>").removesuffix("</mo>")
        if not groups or (item.kind == "operator" and sign in BREAKS and groups[-1]):
            if groups and not _has_operand(groups[-1]):
                groups[-1].append(item)  # the sign of a first term, or one after a relation
                continue
            infix = (
                Item("operator", f'<mo form="infix" lspace="0">{sign}</mo>')
                if groups and item.kind == "operator"
                else item
            )
            groups.append([infix])
        else:
            groups[-1].append(item)
    return [part for group in groups for part in _parts(group)]


def _has_operand(items: Sequence[Item]) -> bool:
    return any(item.kind in ("operand", "function") for item in items)


def _parts(group: Sequence[Item]) -> list[str]:
    """A term as one piece, or as pieces that fit a printed line: the terms in long brackets one by one, and factors where there are none.
    A factor that is too wide by itself stays whole."""
    whole = f"<mrow>{_side_by_side(group)}</mrow>"
    if formula_width(whole) <= PRINTED_LINE:
        return [whole]
    longest = max(range(len(group)), key=lambda k: formula_width(group[k].text) if group[k].inner else 0.0)
    inner = _terms(group[longest].inner) if formula_width(group[longest].text) > SHORT_BRACKETS else []
    if len(inner) < 2:
        return _factors(group)
    before, after = group[:longest], group[longest + 1 :]
    opening, closing = (f'<mo stretchy="false">{fence}</mo>' if fence else "" for fence in group[longest].fences)
    if before and before[-1].kind != "operator":
        opening = _between(before[-1], group[longest]) + opening
    if after and after[0].kind != "operator":
        closing += TIMES
    head, tail = _parts(before) if before else [""], _parts(after) if after else [""]
    first, last = _glue(head[-1] + opening, inner[0]), _glue(inner[-1] + closing, tail[0])
    return [*head[:-1], *first, *inner[1:-1], *last, *tail[1:]]


def _glue(one: str, other: str) -> list[str]:
    """Two neighbors as one piece where they fit a line."""
    if not other or formula_width(one + other) <= PRINTED_LINE:
        return [f"<mrow>{one}{other}</mrow>"]
    return [f"<mrow>{one}</mrow>", other]


def _factors(group: Sequence[Item]) -> list[str]:
    """A product broken between its factors."""
    cuts = [
        k for k in range(1, len(group)) if group[k - 1].kind == "operand" and group[k].kind in ("operand", "function")
    ]
    fitting = [k for k in cuts if formula_width(_side_by_side(group[:k])) <= PRINTED_LINE] or cuts[:1]
    if not fitting:
        return [f"<mrow>{_side_by_side(group)}</mrow>"]
    k = fitting[-1]
    return [f"<mrow>{_side_by_side(group[:k])}{TIMES}</mrow>", *_parts(group[k:])]
