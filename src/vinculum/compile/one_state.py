"""Repeated calls of a tape: interpreted at first, compiled when that saves time, with a short path for one state."""

import ctypes
import itertools
import math
import threading
from collections.abc import Callable
from typing import final

import numpy as np

from vinculum.compile.evaluate import SECONDS_TO_COMPILE, interpret, interpretation_time
from vinculum.compile.tape import Tape
from vinculum.compile.targets.llvm import machine
from vinculum.compile.width import WIDTH

CHUNK = 4096
LANES = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


@final
class Evaluator:
    """A tape as a function of parts, some of which change from row to row.

    It compiles when the time spent on interpreting, estimated, reaches that of compiling.
    """

    def __init__(self, tape: Tape):
        self.tape = tape
        self.compiled: machine.Compiled | None = None
        self._owed = len(tape.code) * SECONDS_TO_COMPILE
        self._kept = threading.local()

    def compile(self) -> "Evaluator":
        """Make machine code now."""
        if self.compiled is None:
            self.compiled = machine.compile_tape(self.tape)
        return self

    def rows(self, parts: list[np.ndarray], count: int) -> np.ndarray:
        """Rows of outputs (count, n_out) for parts (size,) that stay and parts (count, size) that change."""
        if self.compiled is None:
            self._owed -= interpretation_time(self.tape, count)
            if self._owed <= 0.0 or machine.is_cached(self.tape):
                self.compile()
        Y = np.empty((count, self.tape.n_out))
        edges = np.cumsum([0, *(part.shape[-1] for part in parts)]).tolist()
        X = self._buffer(min(count, CHUNK))
        for first in range(0, count, CHUNK):
            last = min(first + CHUNK, count)
            for part, a, b in zip(parts, edges[:-1], edges[1:], strict=True):
                if part.ndim == 2:
                    X[: last - first, a:b] = part[first:last]
                elif first == 0:
                    X[:, a:b] = part
            if self.compiled is None:
                Y[first:last] = interpret(self.tape, X[: last - first])
            else:
                self.compiled(X[: last - first], out=Y[first:last])
        return Y

    def _buffer(self, count: int) -> np.ndarray:
        """An array of rows that every thread keeps, so that its pages are there already."""
        kept = getattr(self._kept, "rows", None)
        if kept is None or len(kept) < count:
            kept = self._kept.rows = np.empty((count, self.tape.n_in))
        return kept[:count]

    def for_one_state(self, last: np.ndarray, shape: tuple[int, ...]) -> Callable[..., np.ndarray | None]:
        """A function of t and of one float array for each input before it, for a compiled tape.

        ``last``: the inputs behind t; ``shape``: that of the result. The state lies in the first lane of buffers that every
        thread has of its own. None where an argument is anything else, or the result is not finite.
        """
        assert self.compiled is not None
        n_t = self.tape.n_in - len(last) - 1
        sizes = [size for name, size in self.tape.inputs if name not in ("t", "parameters")]
        run, kept, zero = LANES(self.compiled.lanes), threading.local(), np.zeros(self.tape.n_out)
        isfinite, array, double, reshaped = math.isfinite, np.ndarray, np.dtype(float), len(shape) != 1

        def make() -> tuple:
            X, Y = np.zeros((self.tape.n_in, WIDTH)), np.zeros((self.tape.n_out, WIDTH))
            X[n_t + 1 :] = last[:, None]
            edges = np.cumsum([0, *sizes]).tolist()
            views = tuple((X[a:b, 0], (b - a,)) for a, b in itertools.pairwise(edges))
            kept.arrays = X, Y
            kept.buffers = views, X[n_t], X.ctypes.data, Y.ctypes.data, Y[:, 0]
            return kept.buffers

        def call(t, *parts):
            try:
                views, instant, x, y, result = kept.buffers
            except AttributeError:
                views, instant, x, y, result = make()
            if type(t) is not float:
                return None
            for (view, wanted), part in zip(views, parts):
                if type(part) is not array or part.shape != wanted or part.dtype is not double:
                    return None
                view[...] = part
            instant[0] = t
            run(x, y)
            if not isfinite(result.dot(zero)):
                return None
            return result.reshape(shape) if reshaped else result.copy()

        return call
