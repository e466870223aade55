"""Steps of a Taylor series in a compiled loop, with coefficients written directly to the motion.

The dense output of heyoka creates an object for every call and writes to small pages of memory. Its stepping function is plain machine
code that it exposes. Here it is called in a loop and takes the same steps, bit by bit.
"""

import ctypes
import re
from pathlib import Path
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.compile.calls import call_with_five
from vinculum.compile.kernels import njit
from vinculum.compile.targets.llvm.machine import linked_functions
from vinculum.integrators.taylor.sizes import is_long
from vinculum.integrators.taylor.step_memory import STEPS

ARGUMENTS = ("state_ptr", "par_ptr", "time_ptr", "h_ptr", "tc_ptr")
NO_BOUNDS = np.zeros(0)
LIBRARIES = re.compile(r"/[^\s]*/lib(?:sleef|heyoka)[^/\s]*\.so[^/\s]*$", re.MULTILINE)


@final
class SeriesLoop:
    """The stepping function of a heyoka integrator; it advances the integrator's state, and the caller advances its time."""

    def __init__(self, address: int, kept: Any, state: np.ndarray, parameters: np.ndarray, order: int):
        self._kept, self._state, self._order, self._clock = kept, state, order, np.zeros(4)
        self._series = Series(address, state, parameters, self._clock)

    def __call__(
        self, t: float, until: float, most: int, longest: float, low: int = 1, largest: np.ndarray = NO_BOUNDS
    ) -> "Made":
        """At most ``most`` steps of at most ``longest`` [s] from ``t``, checked for terms above ``largest`` as in `is_long`.

        The step after which the state is not finite is left out.
        """
        if t != self._clock.item(0):
            self._clock[0], self._clock[1] = t, 0.0
        times, series = np.empty(most + 1), STEPS.array((most, len(self._state), self._order + 1))
        times[0] = t
        count, finite, long = _steps(self._series, Limits(until, longest, most), Bounds(low, largest), times, series)
        times, series = times[: count + 1], series[:count]
        return Made(finite, long, *((times.copy(), series.copy()) if 2 * count < most else (times, series)))


class Series(NamedTuple):
    """A stepping function and the arrays that it advances."""

    address: int
    state: np.ndarray
    parameters: np.ndarray
    clock: np.ndarray
    """The time as a sum of two numbers [s], then those that the function is called with: the time and the step (4,)."""


class Limits(NamedTuple):
    """Where steps end [s], how long one may be [s], and how many there may be."""

    until: float
    longest: float
    most: int


class Bounds(NamedTuple):
    """Terms above which a step is long, as in `is_long`."""

    low: int
    largest: np.ndarray


class Made(NamedTuple):
    """Steps: whether the state is still finite, whether some step may be too long, edges (S + 1,) and coefficients (S, n, order + 1)."""

    finite: bool
    long: bool
    times: np.ndarray
    series: np.ndarray


def series_loop(ta: Any) -> SeriesLoop | None:
    """The loop of an integrator without events; None if its machine code is not one function of the known arguments."""
    made = ta.llvm_state
    if ta.with_events or ta.compact_mode or not _known_arguments(made.ir):
        return None
    code: bytes = made.object_code
    missing = undefined_symbols(code)
    found = None if missing is None else _addresses(missing)
    if found is None:
        return None
    kept, addresses = linked_functions(code, ("step",), found)
    return SeriesLoop(addresses["step"], kept, ta.state, ta.pars, ta.order)


def _known_arguments(text: str) -> bool:
    head = re.search(r"^define void @step\((.*)\)", text, re.MULTILINE)
    return head is not None and tuple(re.findall(r"%(\w+)", head[1])) == ARGUMENTS


def undefined_symbols(code: bytes) -> list[str] | None:
    """Names of the undefined symbols of an ELF object; None if the code is not an ELF object."""
    import llvmlite.binding as llvm

    if code[:4] != b"\x7fELF":
        return None
    parts = {part.name(): part.data() for part in llvm.ObjectFileRef.from_data(code).sections()}
    if b".symtab" not in parts or b".strtab" not in parts:
        return None
    layout = [("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("value", "<u8"), ("size", "<u8")]
    table = np.frombuffer(parts[b".symtab"], dtype=layout)
    wanted = table["name"][(table["section"] == 0) & (table["name"] > 0)]
    names = parts[b".strtab"]
    return [names[k : names.index(b"\0", k)].decode() for k in wanted.tolist()]


def _addresses(names: list[str]) -> dict[str, int] | None:
    """Addresses of functions in the libraries that this process has loaded; None if one of them is missing."""
    libraries = [ctypes.CDLL(None)]
    if names:
        maps = Path("/proc/self/maps")
        paths = sorted(set(LIBRARIES.findall(maps.read_text()))) if maps.exists() else []
        libraries += [ctypes.CDLL(path) for path in paths]
    found: dict[str, int] = {}
    for name in names:
        holder = next((library for library in libraries if hasattr(library, name)), None)
        if holder is None:
            return None
        found[name] = ctypes.cast(getattr(holder, name), ctypes.c_void_p).value or 0
    return found


@njit(nogil=True, cache=True)
def _steps(series, limits, bounds, times, coefficients):
    """Number of steps taken, whether the state is finite, and whether a step is long."""
    address, state, parameters, clock = series
    until, longest, most = limits
    t, h = clock[2:3], clock[3:4]
    count, long = 0, False
    while count < most and clock[0] < until:
        left = (until - clock[0]) - clock[1]
        h[0], t[0] = min(left, longest), clock[0]
        call_with_five(address, state, parameters, t, h, coefficients[count])
        for k in range(len(state)):
            if not np.isfinite(state[k]):
                return count, False, long
        if h[0] == left:
            clock[0], clock[1] = until, 0.0
        else:
            total = clock[0] + h[0]
            back = total - clock[0]
            rest = (clock[0] - (total - back)) + (h[0] - back) + clock[1]
            clock[0] = total + rest
            clock[1] = rest - (clock[0] - total)
        long = long or is_long(coefficients[count], h[0], bounds.low, bounds.largest)
        count += 1
        times[count] = clock[0]
    return count, True, long
