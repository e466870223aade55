"""The equations as a stand-alone C99 function with its header."""

import re
from pathlib import Path
from typing import Any

from vinculum.compile.targets import c99
from vinculum.errors import FileError

PLAIN = {ord(c): " " for c in "\\\n\r?"}
"""Characters with which a name could end or continue a line of C."""

RESERVED = re.compile(
    r"auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|"
    r"register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|"
    r"while|main|abs|acos|acosh|asin|asinh|atan|atan2|atanh|ceil|copysign|cos|cosh|erf|exp|expm1|fabs|floor|"
    r"fmax|fmin|fmod|hypot|log|log1p|pow|sin|sinh|sqrt|tan|tanh"
)
"""Words of C99, and functions that the code calls."""


def written_code(equations: Any, path) -> tuple[Path, Path]:
    """Write ``path``.c and ``path``.h with a function of the file's name; returns both places."""
    place = Path(path)
    place = place.with_suffix("") if place.suffix in (".c", ".h") else place
    if not re.fullmatch(r"[A-Za-z_]\w*", place.name, re.ASCII):
        raise FileError(f"{place}: the file's name becomes the name of a C function, and {place.name!r} cannot be one; "
                        "use letters, digits and underscores")  # fmt: skip
    if RESERVED.fullmatch(place.name):
        raise FileError(f"{place}: the file's name becomes the name of a C function, and {place.name!r} means something in C "
                        "already; choose another name")  # fmt: skip
    tape = equations._numbers.evaluator("all").tape
    source, header = place.with_name(f"{place.name}.c"), place.with_name(f"{place.name}.h")
    try:
        source.write_text(c99.source(tape, place.name), encoding="utf-8")
        header.write_text(_said(equations) + c99.header(tape, place.name), encoding="utf-8")
    except OSError as error:
        raise FileError(f"{place} cannot be written: {error.strerror or error}; choose another path") from error
    return source, header


def _said(equations: Any) -> str:
    """A comment with the names behind q and v."""
    lines = [f"{equations!r}", f"q: {', '.join(equations.state.q_names)}", f"v: {', '.join(equations.state.v_names)}"]
    return "".join(f"// {line.translate(PLAIN)}\n" for line in lines)
