"""The equations as machine code, and as a stand-alone C99 function with its header."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import final

from vinculum.compile.targets import c99 as c99_text
from vinculum.derivations.equations.graphs import Graphs
from vinculum.derivations.equations.numbers import Numbers
from vinculum.errors import FileError, StartError, shorten

COMPILED = ("accelerations", "mass_matrix", "bias", "driven_accelerations")

PLAIN = {ord(c): " " for c in "\\\n\r?"}
"""Characters with which a name could end or continue a line of C."""

RESERVED = re.compile(
    r"auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|"
    r"register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|"
    r"while|main|abs|acos|acosh|asin|asinh|atan|atan2|atanh|ceil|copysign|cos|cosh|erf|exp|expm1|fabs|floor|"
    r"fmax|fmin|fmod|hypot|log|log1p|pow|sin|sinh|sqrt|tan|tanh"
)
"""Words of C99, and functions that the code calls."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class Code:
    """What the equations cost, and code made of them."""

    _graphs: Graphs
    _numbers: Numbers

    def __repr__(self):
        return f"Code of '{self._graphs.name}'"

    def count_operations(self) -> dict[str, int]:
        """Number of operations in M and h: ``written`` out as formulas, and ``shared``, with each value computed once."""
        return self._numbers.operations()

    def compile(self, what: str = "accelerations") -> None:
        """Compile the equations to machine code immediately.

        ``what``: "accelerations", "mass_matrix", "bias", or "driven_accelerations" for those with τ.
        """
        if what not in COMPILED:
            raise StartError(
                f"'{self._graphs.name}': there is no {shorten(what)} to compile; give one of {', '.join(COMPILED)}"
            )
        self._numbers.evaluator(what).compile()

    def c99(self, path) -> tuple[Path, Path]:
        """Write ``path``.c and ``path``.h with a function, of the file's name, of (q, v, tau, t, parameters) that gives M, h and v̇.

        It needs no other file. Returns both paths.
        """
        place = Path(path)
        place = place.with_suffix("") if place.suffix in (".c", ".h") else place
        if not re.fullmatch(r"[A-Za-z_]\w*", place.name, re.ASCII):
            raise FileError(f"{place}: the file's name becomes the name of a C function, and {place.name!r} cannot be one; "
                            "use letters, digits and underscores")  # fmt: skip
        if RESERVED.fullmatch(place.name):
            raise FileError(f"{place}: the file's name becomes the name of a C function, and {place.name!r} means something in C "
                            "already; choose another name")  # fmt: skip
        tape = self._numbers.evaluator("all").tape
        source, header = place.with_name(f"{place.name}.c"), place.with_name(f"{place.name}.h")
        try:
            source.write_text(c99_text.source(tape, place.name), encoding="utf-8")
            header.write_text(_comment(self._graphs) + c99_text.header(tape, place.name), encoding="utf-8")
        except OSError as error:
            raise FileError(f"{place} cannot be written: {error.strerror or error}; choose another path") from error
        return source, header


def _comment(graphs: Graphs) -> str:
    """A comment with the names behind q and v."""
    lines = [graphs.title, f"q: {', '.join(graphs.state.q_names)}", f"v: {', '.join(graphs.state.v_names)}"]
    return "".join(f"// {line.translate(PLAIN)}\n" for line in lines)
