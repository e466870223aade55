"""Calling a tape again and again: interpreted at first, machine code once that pays, and the shortest way for one state."""

import ctypes
import math
import threading
from typing import final

import numpy as np

from vinculum.kernels import arrays, llvm
from vinculum.kernels.evaluate import SECONDS_PER_BLOCK, SECONDS_PER_VALUE, SECONDS_TO_COMPILE
from vinculum.kernels.tape import Tape

LANES = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


@final
class Evaluator:
    """A tape as a function. It compiles when the time spent on interpreting, estimated, reaches that of compiling."""

    def __init__(self, tape: Tape):
        self.tape = tape
        self.compiled: llvm.Compiled | None = None
        self._owed = len(tape.code) * SECONDS_TO_COMPILE
        self._kept = threading.local()

    def compile(self) -> "Evaluator":
        """Make machine code now."""
        if self.compiled is None:
            self.compiled = llvm.compile_tape(self.tape)
        return self

    def rows(self, X: np.ndarray) -> np.ndarray:
        """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out)."""
        if self.compiled is None:
            blocks = -(-len(X) // arrays.BLOCK)
            self._owed -= len(self.tape.code) * (SECONDS_PER_BLOCK * blocks + SECONDS_PER_VALUE * len(X))
            if self._owed > 0.0 and not llvm.is_cached(self.tape):
                return arrays.evaluate(self.tape, X)
            self.compile()
        assert self.compiled is not None
        return self.compiled(X)

    def one(self, parts: tuple, rest: np.ndarray) -> np.ndarray | None:
        """Outputs (n_out,) for one state given as float arrays, one for each of the first inputs; None if not compiled.

        ``rest``: the last inputs; the same object means the same numbers as in the call before. The state lies in the
        first lane of buffers that every thread keeps. NaN is returned as it is.
        """
        if self.compiled is None:
            return None
        try:
            views, known, run, x, y, first, zero = self._kept.buffers
        except AttributeError:
            views, known, run, x, y, first, zero = self._made(parts)
        if known[0] is not rest:
            views[-1][...] = rest[:, None]
            known[0] = rest
        for view, part in zip(views, parts, strict=False):
            view[...] = part
        run(x, y)
        result = first.copy()
        if not math.isfinite(result.dot(zero)):
            return np.full_like(result, np.nan)
        return result

    def _made(self, parts: tuple) -> tuple:
        assert self.compiled is not None
        X, Y = np.zeros((self.tape.n_in, llvm.WIDTH)), np.zeros((self.tape.n_out, llvm.WIDTH))
        edges = np.cumsum([0, *(len(part) for part in parts)]).tolist()
        views = [X[a:b, 0] for a, b in zip(edges[:-1], edges[1:], strict=True)] + [X[edges[-1] :]]
        self._kept.arrays = (X, Y)
        self._kept.buffers = (views, [None], LANES(self.compiled.lanes), X.ctypes.data, Y.ctypes.data, Y[:, 0],
                              np.zeros(self.tape.n_out))  # fmt: skip
        return self._kept.buffers
