"""The value of a formula in LaTeX, read as a reader reads it: what stands side by side is multiplied."""

import math
import re

FUNCTIONS = {"\\sin": math.sin, "\\cos": math.cos}
NUMBER = re.compile(r"\d+(\.\d+)?")


class Reader:
    """A reader of sums, products, fractions, powers, roots, brackets, sines and cosines over named values."""

    def __init__(self, text: str, values: dict[str, float]):
        self.text, self.place = text, 0
        self.values = dict(sorted(values.items(), key=lambda item: -len(item[0])))

    def ahead(self, *words: str) -> str | None:
        while self.text.startswith(" ", self.place):
            self.place += 1
        return next((word for word in words if self.text.startswith(word, self.place)), None)

    def take(self, *words: str) -> str | None:
        word = self.ahead(*words)
        self.place += len(word or "")
        return word

    def need(self, word: str) -> None:
        assert self.take(word), f"{word!r} is missing at {self.text[self.place :]!r}"

    def sum(self) -> float:
        total = -self.product() if self.take("-") else self.product()
        while sign := self.take("+", "-"):
            total += self.product() if sign == "+" else -self.product()
        return total

    def product(self) -> float:
        result = self.power()
        while self.place < len(self.text) and not self.ahead("+", "-", "}", "\\right", "="):
            self.take("\\cdot")
            result *= self.power()
        return result

    def power(self) -> float:
        base = self.single()
        return base ** self.braces() if self.take("^") else base

    def braces(self) -> float:
        self.need("{")
        value = self.sum()
        self.need("}")
        return value

    def single(self) -> float:
        if self.take("\\frac"):
            return self.braces() / self.braces()
        if self.take("\\sqrt"):
            return math.sqrt(self.braces())
        if name := self.take(*FUNCTIONS):
            power = self.braces() if self.take("^") else 1.0
            return FUNCTIONS[name](self.braces() if self.ahead("{") else self.single()) ** power
        if self.take("\\left("):
            value = self.sum()
            self.need("\\right)")
            return value
        if name := self.take(*self.values):
            return self.values[name]
        found = NUMBER.match(self.text, self.place)
        assert found, f"nothing is known at {self.text[self.place :]!r}"
        self.place = found.end()
        return float(found[0])


def latex_value(text: str, values: dict[str, float]) -> float:
    """The value of a whole formula."""
    reader = Reader(text, values)
    value = reader.sum()
    assert reader.place == len(text), text[reader.place :]
    return value
