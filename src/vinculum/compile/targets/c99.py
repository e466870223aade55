"""Tape → C99 text: a stand-alone function and its header, for other programs."""

import math

from vinculum.compile.passes.powers import factors, halves
from vinculum.compile.tape import Tape
from vinculum.scalars import Piecewise

INFIX = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "lt": "<",
    "le": "<=",
    "eq": "==",
    "ne": "!=",
    "and": "&&",
    "or": "||",
}
CALLS = {"abs": "fabs", "min": "fmin", "max": "fmax"} | {
    name: name for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
                            "exp", "log", "expm1", "log1p", "sqrt", "floor", "ceil", "erf", "atan2", "hypot", "fmod",
                            "copysign", "pow")
}  # fmt: skip


def source(tape: Tape, name: str = "kernel") -> str:
    """C99 text of ``void name(const double *in, double *out)``."""
    lines = [
        f'#include "{name}.h"',
        "#include <math.h>",
        "",
        *(line for one, table in tape.by_name.items() for line in _table(one, table)),
        f"void {name}(const double *in, double *out)",
        "{",
    ]
    value = {i: f"in[{i}]" for i in range(tape.n_in)}
    value |= {tape.n_in + i: _number(c) for i, c in enumerate(tape.constants.tolist())}
    for op, result, operands in tape.rows():
        value[result] = f"v{result}"
        twice = halves(tape, op, operands)
        text = _half_power(value[operands[0]], twice) if twice else _expression(op, [value[a] for a in operands])
        lines.append(f"    const double v{result} = {text};")
    lines += [f"    out[{k}] = {value[r]};" for k, r in enumerate(tape.results.tolist())]
    return "\n".join([*lines, "}", ""])


def header(tape: Tape, name: str = "kernel") -> str:
    """The header, with the meaning of every input and output in it."""

    def list_groups(groups):
        places = tape.slices(groups)
        return [
            f" *   [{place.start}..{place.stop - 1}] {group}"
            for group, place in places.items()
            if place.stop > place.start
        ]

    parameters = [f" *   parameters: {', '.join(n for n, _ in tape.parameters)}"] if tape.parameters else []
    return "\n".join([f"#ifndef {name.upper()}_H", f"#define {name.upper()}_H", "", "/* in:", *list_groups(tape.inputs), *parameters,
                      " * out:", *list_groups(tape.outputs), " */", f"#define {name.upper()}_INPUTS {tape.n_in}",
                      f"#define {name.upper()}_OUTPUTS {tape.n_out}", "#ifdef __cplusplus", 'extern "C" {', "#endif",
                      f"void {name}(const double *in, double *out);", "#ifdef __cplusplus", "}", "#endif", "#endif", ""])  # fmt: skip


def _expression(op: str, x: list[str]) -> str:
    if op in INFIX:
        return f"{x[0]} {INFIX[op]} {x[1]}"
    if op == "neg":
        return f"-{x[0]}"
    if op == "not":
        return f"!{x[0]}"
    if op == "where":
        return f"{x[0]} != 0.0 ? {x[1]} : {x[2]}"
    if op == "sign":
        return f"({x[0]} > 0.0) - ({x[0]} < 0.0)"
    return f"{CALLS.get(op, op)}({', '.join(x)})"


def _table(name: str, table: Piecewise) -> list[str]:
    """A function that finds the piece of a table by bisection and runs Horner's rule there."""
    rows = [[origin, *terms] for origin, terms in zip(table.origins.tolist(), table.coefficients.tolist(), strict=True)]
    entries = [f"    {{{', '.join(x.hex() for x in row)}}}" for row in rows]
    breaks = ", ".join(x.hex() for x in table.breaks.tolist()) or "0.0"
    low, high = ("-INFINITY" if x == -math.inf else "INFINITY" if x == math.inf else x.hex() for x in table.limits)
    width = len(rows[0])
    return [
        f"static double {name}(double x)  /* {table.name} */", "{",
        f"    static const double breaks[] = {{{breaks}}};",
        f"    static const double rows[][{width}] = {{", ",\n".join(entries), "    };",
        f"    int first = 0, last = {len(table.breaks)}, j;",
        "    double y;",
        "    while (first < last) {",
        "        const int middle = first + (last - first) / 2;",
        "        if (breaks[middle] <= x) first = middle + 1; else last = middle;",
        "    }",
        f"    y = rows[first][{width - 1}];",
        f"    for (j = {width - 2}; j > 0; --j) y = y * (x - rows[first][0]) + rows[first][j];",
        f"    return x >= {low} && x <= {high} ? y : NAN;", "}", ""]  # fmt: skip


def _half_power(x: str, twice: int) -> str:
    inverted, count = factors(twice)
    product = " * ".join([f"sqrt({x})", *[x] * count])
    return f"1.0 / ({product})" if inverted else product


def _number(x: float) -> str:
    return f"({x.hex()})" if x < 0 or x.hex().startswith("-") else x.hex()
