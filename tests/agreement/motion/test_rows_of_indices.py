"""A tape over rows of indices next to NumPy: numbers of a row that follow each other are moved four at a time, others one by one."""

import numpy as np
import pytest

from vinculum.compile.calls import run_indexed
from vinculum.compile.targets.llvm.indexed import IndexedCall, indexed_job
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.trace import trace
from vinculum.scalars import symbols

GUARD = -7.0


def consecutive(lengths, rows: int, begin: int) -> np.ndarray:
    """Indices (n, rows): runs of these lengths, which are apart in the array, and those of one row behind those of another."""
    places = np.concatenate([begin + 20 * k + np.arange(length) for k, length in enumerate(lengths)])
    return places[:, None] + 20 * len(lengths) * np.arange(rows)


@pytest.mark.parametrize("lengths", [(1,), (4,), (3, 1), (5, 2), (9, 1, 4), (1, 1, 1, 7)])
def test_runs_of_any_length_are_moved_as_single_numbers_are(lengths):
    n = sum(lengths)
    x = symbols("x", n)
    code = compile_tape(trace({"x": x}, {"y": x * np.arange(1.0, n + 1) + x[::-1]}))
    for rows in (1, 7, 8, 9, 19):
        gather, scatter = consecutive(lengths, rows, 3), consecutive(lengths[::-1], rows, 1)
        array = np.random.default_rng(rows).normal(size=gather.max() + 30)
        found = array[gather] * np.arange(1.0, n + 1)[:, None] + array[gather][::-1]
        for adds in (False, True):
            target = np.full(len(array), GUARD)
            expected = target.copy()
            expected[scatter] = GUARD * adds + found
            job, kept = indexed_job([IndexedCall(code, gather, scatter, adds)], len(array) - 1)
            run_indexed(job, array, target)
            assert target[:-1] == pytest.approx(expected[:-1], abs=1e-14) and kept
            assert adds or target[-1] == GUARD  # the spare place, to which lanes without a row may add
