"""Long straight-line code in parts: LLVM's register allocation takes much longer for one block than for its parts.

Values that pass from one part to another go through memory, which most of them would in one block too. A product that is used once stays
with its user: both become one fused operation there, so the parts give the same bits as the whole.
"""

import heapq
from collections import Counter

from vinculum.compile.tape import Tape

FUSED = ("mul", "neg")


Row = tuple[str, int, list[int]]
"""An operation: its name, the value that it makes, and its operands."""


def parts_of(tape: Tape, rows: list[Row], ends: list[int]) -> list[list[Row]]:
    """The operations in parts that end at about these places."""
    part, begin = {}, 0
    for k, end in enumerate(ends):
        part.update((result, k) for _, result, _ in rows[begin:end])
        begin = end
    uses = Counter(tape.results.tolist())
    user: dict[int, int] = {}
    for _, result, operands in tape.rows():
        uses.update(operands)
        user.update(dict.fromkeys(operands, result))
    for name, result, _ in reversed(rows):
        if name in FUSED and uses[result] == 1 and user.get(result) in part:
            part[result] = part[user[result]]
    found: list[list[Row]] = [[] for _ in range(1 + max(part.values()))]
    for row in rows:
        found[part[row[1]]].append(row)
    return found


def slots_of(made: list[list[int]], read: list[list[int]]) -> tuple[dict[int, int], int]:
    """A place in memory for every value that is made in one part and read in a later one, and how many there are; a place is used again
    after the last part that reads its value. ``made``, ``read``: by part."""
    last: dict[int, int] = {}
    for k, values in enumerate(read):
        last.update(dict.fromkeys(values, k))
    place: dict[int, int] = {}
    free: list[int] = []
    ended: dict[int, list[int]] = {}
    count = 0
    for k, values in enumerate(made):
        for slot in ended.pop(k, ()):
            heapq.heappush(free, slot)
        for value in values:
            if last.get(value, k) > k:
                if not free:
                    heapq.heappush(free, count)
                    count += 1
                place[value] = heapq.heappop(free)
                ended.setdefault(last[value] + 1, []).append(place[value])
    return place, count
