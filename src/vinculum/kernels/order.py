"""The order of a tape's operations: fewer values alive at once means fewer that leave the registers and the first cache."""

from dataclasses import replace

import numpy as np

from vinculum.kernels.tape import Tape


def ordered(tape: Tape) -> Tape:
    """The tape in its own order, or with every operation run as soon as its last operand is there, whichever keeps fewer
    values alive."""
    eager = _eager(tape)
    return eager if most_alive(eager) < most_alive(tape) else tape


def most_alive(tape: Tape) -> int:
    """The largest number of values that are made and still needed."""
    first, kept = tape.first_operation, set(tape.results.tolist())
    last_use: dict[int, int] = {}
    for _, result, operands in tape.rows():
        for a in operands:
            last_use[a] = result
    ends: dict[int, int] = {}
    for value, result in last_use.items():
        if value >= first and value not in kept:
            ends[result] = ends.get(result, 0) + 1
    alive = most = 0
    for _, result, _ in tape.rows():
        alive += 1
        most = max(most, alive)
        alive -= ends.get(result, 0)
    return most


def _eager(tape: Tape) -> Tape:
    rows = list(tape.rows())
    first = tape.first_operation
    users: list[list[int]] = [[] for _ in rows]
    missing = [0] * len(rows)
    for i, (_, _, operands) in enumerate(rows):
        for a in {a for a in operands if a >= first}:
            users[a - first].append(i)
            missing[i] += 1
    stack = [i for i in range(len(rows)) if missing[i] == 0]
    order = []
    while stack:
        i = stack.pop()
        order.append(i)
        for user in users[i]:
            missing[user] -= 1
            if missing[user] == 0:
                stack.append(user)
    return _permuted(tape, order)


def _permuted(tape: Tape, order: list[int]) -> Tape:
    first = tape.first_operation
    new = np.arange(first + len(order), dtype=np.int32)
    new[first + np.array(order, dtype=np.int64)] = first + np.arange(len(order), dtype=np.int32)
    code = tape.code[order].copy()
    operands = code[:, 1:]
    code[:, 1:] = np.where(operands >= 0, new[operands], -1)
    return replace(tape, code=code, results=new[tape.results])
