"""The order of a tape's operations: fewer live values need fewer registers and less cache."""

import heapq
from dataclasses import replace

import numpy as np

from vinculum.compile.tape import Tape


def shortest_order(tape: Tape) -> Tape:
    """The tape in its own order, or with every operation run as soon as its last operand is there, whichever keeps fewer
    values alive."""
    eager = _eager(tape)
    return eager if most_alive(eager) < most_alive(tape) else tape


def least_spilled(tape: Tape, registers: int) -> Tape:
    """The tape in its own order, or from its results down with the operand first that needs more registers (Sethi and Ullman), whichever
    moves fewer values between registers and memory."""
    needed = _by_need(tape)
    return needed if spills(needed, registers) < spills(tape, registers) else tape


def spills(tape: Tape, registers: int) -> int:
    """Stores and loads of values that do not stay in registers, if the one whose next use is farthest leaves them (Belady)."""
    operands = _operations_read(tape)
    uses: list[list[int]] = [[] for _ in operands]
    for i, read in enumerate(operands):
        for a in read:
            uses[a].append(i)
    for later in uses:
        later.reverse()
    held: set[int] = set()
    stored: set[int] = set()
    farthest: list[tuple[int, int]] = []
    moves = 0
    for i, read in enumerate(operands):
        moves += sum(a not in held for a in read)
        held.update(read)
        for a in read:
            uses[a].pop()
        held.add(i)
        for a in (*read, i):
            if uses[a]:
                heapq.heappush(farthest, (-uses[a][-1], a))
            else:
                held.discard(a)
        while len(held) > registers:
            when, a = heapq.heappop(farthest)
            if a in held and uses[a] and uses[a][-1] == -when:
                held.discard(a)
                moves += a not in stored
                stored.add(a)
    return moves


def _operations_read(tape: Tape) -> list[list[int]]:
    """For every operation the operations whose values it reads."""
    first = tape.first_operation
    return [[a - first for a in dict.fromkeys(operands) if a >= first] for _, _, operands in tape.rows()]


def _by_need(tape: Tape) -> Tape:
    operands = _operations_read(tape)
    need: list[int] = []
    for read in operands:
        read.sort(key=lambda a: -need[a])
        need.append(max([need[a] + k for k, a in enumerate(read)], default=1))
    done, order = [False] * len(operands), []
    for result in (tape.results - tape.first_operation).tolist():
        stack = [result] if result >= 0 else []
        while stack:
            i = stack[-1]
            left = None if done[i] else next((a for a in operands[i] if not done[a]), None)
            if left is not None:
                stack.append(left)
                continue
            if not done[i]:
                done[i] = True
                order.append(i)
            stack.pop()
    return _permute(tape, order)


def most_alive(tape: Tape) -> int:
    """The largest number of values that are made and still needed."""
    first, count = tape.first_operation, len(tape.code)
    if not count:
        return 0
    last_use = np.full(first + count, -1)
    for operands in tape.code[:, 1:].T:
        used = operands >= 0
        np.maximum.at(last_use, operands[used], np.flatnonzero(used))
    last_use[tape.results] = -1
    made = last_use[first:]
    ends = np.bincount(made[made >= 0], minlength=count)
    return int((np.arange(1, count + 1) - np.cumsum(ends) + ends).max())


def _eager(tape: Tape) -> Tape:
    read = _operations_read(tape)
    users: list[list[int]] = [[] for _ in read]
    for i, operands in enumerate(read):
        for a in operands:
            users[a].append(i)
    missing = [len(operands) for operands in read]
    stack = [i for i, count in enumerate(missing) if count == 0]
    order = []
    while stack:
        i = stack.pop()
        order.append(i)
        for user in users[i]:
            missing[user] -= 1
            if missing[user] == 0:
                stack.append(user)
    return _permute(tape, order)


def _permute(tape: Tape, order: list[int]) -> Tape:
    first = tape.first_operation
    new = np.arange(first + len(order), dtype=np.int32)
    new[first + np.array(order, dtype=np.int64)] = first + np.arange(len(order), dtype=np.int32)
    code = tape.code[order].copy()
    operands = code[:, 1:]
    code[:, 1:] = np.where(operands >= 0, new[operands], -1)
    return replace(tape, code=code, results=new[tape.results])
