"""Long formulas with a name for every repeated value."""

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.scalars import Scalar, formulas, symbols
from vinculum.scalars.math import SYMBOLIC

LIGHT = ("neg",)
BASES = ("z", "w", "y", "u", "c", "named")
"""Letters for named values; the first that begins no other name is taken."""


def name_shared(outputs, leaves: dict[Scalar, str]) -> tuple[list, list[tuple]]:
    """Outputs and named values (symbol, formula) as SymPy expressions; ``leaves`` are the inputs with their names."""
    inputs = np.array([*leaves, None], dtype=object)[:-1]
    tape = trace({"x": inputs}, {"y": outputs})
    values, names = _cut(tape, inputs)
    used = {name[0] for name in (*leaves.values(), *(name for name, _ in tape.parameters))}
    base = next(one for one in BASES if one not in used)
    table = leaves | {z: f"{base}_{i + 1}" for i, (z, _) in enumerate(names)}
    made = formulas(np.array([*(value for _, value in names), *values, None], dtype=object)[:-1], table)
    letters = formulas(np.array([*(z for z, _ in names), None], dtype=object)[:-1], table)
    return list(made[len(names) :]), list(zip(letters, made[: len(names)], strict=True))


def _cut(tape: Tape, inputs) -> tuple[list, list[tuple[Scalar, Scalar]]]:
    """The tape as graphs again, with a new symbol wherever a value is used more than once."""
    uses = np.zeros(tape.first_operation + len(tape.code), dtype=int)
    for _, _, operands in tape.rows():
        uses[operands] += 1
    np.add.at(uses, tape.results, 1)
    leaves = [*inputs, *(parameter(name, value) for name, value in tape.parameters)]
    values: list = [*leaves, *tape.constants.tolist()]
    names: list[tuple[Scalar, Scalar]] = []
    free = iter(symbols("z", len(tape.code)))
    operations = SYMBOLIC | {name: table.at for name, table in tape.by_name.items()}
    for op, result, operands in tape.rows():
        made = operations[op](*(values[a] for a in operands))
        if uses[result] > 1 and op not in LIGHT and isinstance(made, Scalar):
            z = next(free)
            names.append((z, made))
            made = z
        values.append(made)
    return [values[r] for r in tape.results.tolist()], names


def parameter(name: str, value: float) -> Scalar:
    """A parameter's leaf."""
    return Scalar("parameter", name, value)
