"""Compiled functions are made by the package's own `njit`, which gives Python an entry only where it calls."""

import importlib.util
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core import compiler, event
from numba.core.runtime import _nrt_python, rtsys  # pyright: ignore[reportAttributeAccessIssue, reportPrivateImportUsage]

import vinculum as vc
from vinculum.compile.disk.numba_cache import PACKAGE
from vinculum.compile.entries import MOST_KNOWN, remembered_tuples
from vinculum.compile.kernels import Kernel, njit


def test_every_kernel_is_made_by_the_own_decorator():
    for path in PACKAGE.rglob("*.py"):
        assert "njit" not in "".join(line for line in path.open() if line.startswith("from numba import")), path


def test_an_entry_is_made_when_python_first_calls():
    @njit(nogil=True)
    def squared(x):
        return x * x

    @njit(nogil=True)
    def total(x, scale):
        sum_of = 0.0
        for one in x:
            sum_of += scale * squared(one)
        return sum_of

    assert isinstance(squared, Kernel) and total(np.arange(4.0), 2.0) == 28.0
    assert len(squared.overloads) == 1 and squared._entry is None
    assert squared(3.0) == 9.0 and squared._entry is not None
    assert squared(3) == 9 and len(squared.overloads) == 2
    assert total(scale=1.0, x=np.ones(2)) == 2.0


def test_threads_that_call_first_at_once_leave_one_entry(monkeypatch):
    @njit(nogil=True)
    def doubled(x):
        return x + x

    misses, find = [], Kernel._compile_for_args
    monkeypatch.setattr(Kernel, "_compile_for_args", lambda self, *args: (misses.append(args), find(self, *args))[1])
    together = threading.Barrier(8)

    def call(x):
        together.wait()
        return doubled(x)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, np.arange(8.0))) == [2.0 * x for x in range(8)]
    misses.clear()
    assert doubled(3.0) == 6.0 and not misses


def test_a_long_function_is_compiled_once_and_called_by_its_symbol():
    system = vc.System("ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), mass=1.0))
    system.add(vc.Contact("floor", [ball], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Inelastic()))
    vc.simulate(system, 0.02, {"ball": (0, 0, 0.2)}, method="moreau", step=1e-2, progress=False)
    from vinculum.contact.free_bodies.steps import time_steps

    libraries = {
        cres.library for cres in time_steps.overloads.values()
    }  # other tests of this process may have compiled it too
    assert libraries
    for steps in libraries:
        assert steps.stands_alone() and steps.needs()
        assert not set(steps.needs()) & {one.name for one in steps.get_defined_functions()}


class Pair(NamedTuple):
    x: np.ndarray
    y: np.ndarray
    scale: float


class Nested(NamedTuple):
    pair: Pair
    others: tuple[Pair, Pair]
    is_long: bool
    nothing: None
    table: np.ndarray
    number: int


@njit(nogil=True)
def _fill(pair, row):
    x, y = pair.x, pair.y
    for k in range(len(row)):
        row[k] = pair.scale * x[k] + y[k]
    return row[0]


def test_variables_of_arguments_are_not_counted():
    @njit(nogil=True)
    def borrow(pair, table):
        again, total = Pair(pair.y, pair.x, 3.0), 0.0
        for k in range(len(table)):
            total += _fill(again if k else pair, table[k, 1:])
        return total

    table = np.zeros((2, 4))
    assert borrow(Pair(np.arange(3.0), np.ones(3), 2.0), table) == 1.0 + 3.0
    assert (table == [[0, 1, 3, 5], [0, 3, 4, 5]]).all()
    for compiled in (borrow, _fill):
        (made,) = compiled.overloads.values()
        assert "NRT_incref" not in made.library.get_llvm_str()


def test_arrays_that_are_made_or_returned_are_counted():
    @njit(nogil=True)
    def keep(pair, size):
        made = np.full(size, pair.scale)
        view = made[1:] if size > 2 else pair.x[1:]
        _fill(Pair(pair.x, pair.y, 1.0), view)
        return view, pair.y

    pair = Pair(np.arange(4.0), np.ones(4), 7.0)
    before = [sys.getrefcount(one) for one in pair[:2]]
    for size, expected in ((4, [1.0, 2.0, 3.0]), (2, [1.0, 2.0, 3.0])):
        view, other = keep(pair, size)
        np.full(1000, np.nan)
        assert (view == expected).all() and other is not None and (other == 1.0).all()
        del view, other
        pair.x[:] = np.arange(4.0)
    assert [sys.getrefcount(one) for one in pair[:2]] == before


ORDER = np.array([2, 0, 1])


@njit(nogil=True)
def _mix(pair, made, k):
    """Tuples of arguments with arrays made here, chosen by branches."""
    mixed = Pair(pair.x, made, 2.0)
    if k == 1:
        mixed = Pair(made[1:], pair.y[1:], 3.0)
    elif k == 2:
        mixed = pair
    return mixed.scale * mixed.x[0] + mixed.y[-1]


def test_arrays_that_are_made_are_freed_and_no_sooner():
    @njit(nogil=True)
    def run(pair, table, steps):
        total, latest, kept = 0.0, pair.x, (pair.x, pair.y)
        for k in range(steps):
            chosen = pair.x[ORDER]  # a constant index that copies
            made = chosen + pair.x.imag[1] + k  # an attribute that is a new array
            total += _mix(pair, made, k % 4) + table.T[1, 0]
            if k % 3 == 1:
                latest, kept = made[1:], (made, kept[0])
            elif k % 3 == 2:
                latest = table[k % 2]
            total += latest[0] * kept[1][1] + np.zeros(50)[k]  # which takes memory that would be free
        return total

    _nrt_python.memsys_enable_stats()
    pair, table = Pair(np.arange(3.0), np.full(3, 0.5), 7.0), np.arange(6.0).reshape(2, 3)
    assert run(pair, table, 20) == pytest.approx(run.py_func(pair, table, 20), rel=1e-14)
    references, before = [sys.getrefcount(one) for one in (*pair[:2], table)], rtsys.get_allocation_stats()
    run(pair, table, 20)
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free >= 60
    assert [sys.getrefcount(one) for one in (*pair[:2], table)] == references


def test_a_function_is_compiled_once_for_all_constants():
    """Also for the zero with which a count begins, which Numba takes for a constant until it has seen the loop."""

    @njit(nogil=True)
    def count(x, first, is_even):
        return x[first] + (2.0 if is_even else 1.0)

    @njit(nogil=True)
    def total(x):
        found, size = 0.0, 0
        for one in x:
            found += count(x, size, False) + count(x, 0, True)
            size += 1 if one < 2.0 else 0
        return found + count(x, 2, True)

    x = np.arange(3.0)
    assert total(x) == total.py_func(x) == 16.0
    assert len(count.overloads) == 1


def test_rows_are_copied_without_functions_of_strings():
    @njit(nogil=True)
    def copy(table, k, row):
        table[k] = row
        table[k, 1:] = row[:2]

    table, row = np.zeros((2, 3)), np.arange(1.0, 4.0)
    with event.install_recorder("numba:compile") as compiled:
        copy(table, 1, row)
    assert (table == [[0, 0, 0], [1, 1, 2]]).all()
    assert not [one for _, one in compiled.buffer if "unicode" in one.data["dispatcher"].py_func.__module__]
    with pytest.raises(ValueError, match="of another shape"):
        copy(table, 1, row[:2])

    @numba.njit
    def theirs(table, row):
        table[0] = row

    with pytest.raises(ValueError, match="cannot assign slice of shape"):  # Numba's own error, for functions of users
        theirs(table, row[:2])


def test_options_of_kernels_are_equal_only_if_all_are():
    ours, same, other = (njit(nogil=one)(lambda x: x) for one in (True, True, False))
    ours, same, other = (one._compiler._customize_flags(_flags_of(one)) for one in (ours, same, other))
    assert ours == same == ours.copy() and hash(ours) == hash(same) == hash(ours.copy())
    assert ours != other and len({ours, same, other}) == 2


def _flags_of(kernel):
    flags = compiler.Flags()
    kernel.targetdescr.options.parse_as_flags(flags, kernel.targetoptions)
    return flags


def test_a_kernel_does_not_yield():
    def rows(table):
        yield from table

    with pytest.raises(TypeError, match="rows yields"):
        njit(nogil=True)(rows)


def test_kernels_that_one_function_makes_have_entries_of_their_own(tmp_path):
    path = tmp_path / "factors.py"
    path.write_text(
        "from vinculum.compile.kernels import njit\n\n"
        "def scaling(factor):\n    @njit(cache=True)\n    def scale(x):\n        return factor * x\n    return scale\n"
    )
    spec = importlib.util.spec_from_file_location("factors", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert [module.scaling(factor)(3.0) for factor in (2.0, 5.0)] == [6.0, 15.0]


def test_python_calls_with_tuples_of_any_arrays():
    @njit(nogil=True)
    def total(nested, weight, rows):
        found = nested.pair.scale * weight + nested.number + nested.others[1].x[0]
        for k in range(len(nested.pair.x)):
            found += nested.pair.x[k] * nested.pair.y[k]
        for i in range(rows.shape[0]):
            for j in range(rows.shape[1]):
                for k in range(rows.shape[2]):
                    found += rows[i, j, k] * nested.table[j]
        if nested.is_long:
            found = -found
        return found, len(rows)

    cube, integers = np.arange(60.0).reshape(3, 4, 5), np.arange(8)
    others = Pair(cube[0, 0], cube[1, 1], 0.5), Pair(cube[2, :, 1], cube[1, 1], 0.5)
    for x, rows, is_long in (
        (np.arange(6.0), cube, True),
        (np.arange(12.0)[::2], cube[::2, :, 1::3], False),
        (np.empty(0), np.asfortranarray(cube), np.bool_(True)),
    ):
        nested = Nested(Pair(x, x[::-1], 0.25), others, bool(is_long), None, integers[::2], 3)
        expected = total.py_func(nested, 2.0, rows)
        for _ in range(2):
            assert total(nested, 2.0, rows) == expected
    assert total._entry is None and len(total.overloads) == 3
    with pytest.raises(TypeError):
        total(nested, 2.0)


def test_small_tuples_take_the_entry_that_python_finds_itself():
    @njit(nogil=True)
    def scaled(pair, weight=2.0):
        return pair.scale * weight + pair.x[0]

    pair = Pair(np.ones(3), np.ones(3), 3.0)
    assert scaled(pair, 2.0) == scaled(pair) == scaled(weight=2.0, pair=pair) == 7.0
    assert scaled._entry is not None and scaled._rows_entry is None


class Kinds(NamedTuple):
    """Arrays of as many kinds as NumPy has."""

    plain: np.ndarray
    derived: np.ndarray
    read_only: np.ndarray
    empty: np.ndarray
    reversed: np.ndarray
    repeated: np.ndarray
    single: np.ndarray
    flags: np.ndarray
    bytes: np.ndarray
    unsigned: np.ndarray
    real_parts: np.ndarray
    columns: np.ndarray
    scalar: np.ndarray


class Derived(np.ndarray):
    pass


def arrays_of_all_kinds() -> Kinds:
    numbers = np.arange(1.0, 7.0)
    read_only = numbers + 1.0
    read_only.flags.writeable = False
    return Kinds(
        numbers,
        (numbers + 2.0).view(Derived),
        read_only,
        np.empty(0),
        numbers[::-2],
        np.broadcast_to(np.float64(0.3), (4,)),
        numbers.astype(np.float32),
        numbers > 3.0,
        -numbers.astype(np.int8),
        numbers.astype(np.uint64) + np.uint64(2**40),
        (numbers * (2.0 + 1.0j)).real,
        np.asfortranarray(numbers.reshape(2, 3)),
        np.array(0.7),
    )


@njit(nogil=True)
def _weigh(kinds, place, sign):
    if place < 0:
        raise ValueError("a place before the first")
    found = len(kinds.plain) * kinds.plain[place] + 2.0 * kinds.derived[-1] + 3.0 * kinds.read_only[place]
    found += len(kinds.empty) + 4.0 * kinds.reversed[place] + 5.0 * kinds.repeated[-1] + 6.0 * kinds.single[place]
    found += 7.0 * kinds.flags[-1] + 8.0 * kinds.bytes[place] + 9.0 * kinds.unsigned[place]
    found += 10.0 * kinds.real_parts[place] + 11.0 * kinds.columns[1, place] + kinds.scalar[()]
    return found if sign else -found


def test_arrays_of_all_kinds_are_read_in_their_places():
    kinds = arrays_of_all_kinds()
    for place in (0, 2):
        expected = float(_weigh.py_func(kinds, place, True))
        assert _weigh(kinds, place, True) == pytest.approx(expected, rel=1e-14)
        assert _weigh(kinds, np.int64(place), np.bool_(False)) == pytest.approx(-expected, rel=1e-14)
    assert _weigh._entry is None and len(_weigh.overloads) == 1
    with pytest.raises(TypeError, match="byte order"):
        _weigh(kinds._replace(plain=kinds.plain.astype(">f8")), 2, True)


def test_calls_that_fail_and_calls_of_threads_leave_arrays_as_they_were():
    def weigh(k):
        kinds = arrays_of_all_kinds()._replace(plain=np.full(k, 0.5))
        before, found = [sys.getrefcount(one) for one in kinds], np.nan
        for _ in range(50):
            with pytest.raises(ValueError, match="before the first"):
                _weigh(kinds, -1, True)
            found = _weigh(kinds, 0, True)
        assert [sys.getrefcount(one) for one in kinds] == before
        return found

    lightest = weigh(1)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(weigh, range(1, 12)))
    assert found == pytest.approx([lightest + 0.5 * (k - 1) for k in range(1, 12)], rel=1e-14)


@pytest.mark.parametrize("several", (False, True))
def test_results_that_may_be_arrays_have_an_owner(several):
    @njit(nogil=True)
    def one_of(kinds, place):
        return kinds.plain[place:] if place < 9 else None

    @njit(nogil=True)
    def some_of(kinds, place):
        return [kinds.plain, kinds.plain[place:]]

    found = some_of(arrays_of_all_kinds(), 1)[1] if several else one_of(arrays_of_all_kinds(), 1)
    assert found is not None and found.base is not None and (found == np.arange(2.0, 7.0)).all()


class Columns(NamedTuple):
    """Enough arrays for an entry that reads tuples."""

    arrays: tuple[np.ndarray, ...]
    factor: float
    count: int


def columns(k: int) -> Columns:
    return Columns(tuple(np.full(3, 1.0 * k + j) for j in range(9)), 0.5 * k, k)


def test_tuples_that_are_remembered_are_read_once_and_others_anew():
    @njit(nogil=True)
    def total(columns, x):
        found = columns.factor + columns.count
        for one in columns.arrays:
            found += one.sum()
        return found + x[0]

    def known(k):
        return 1.5 * k + sum(3.0 * (k + j) for j in range(9)) + 2.0

    x = np.array([2.0])
    assert total(columns(3), x) == known(3)
    with remembered_tuples():
        held = columns(4)
        assert [total(held, x) for _ in range(3)] == [known(4)] * 3
        held.arrays[0][:] = 0.0  # what an array holds is read by compiled code
        assert total(held, x) == known(4) - 12.0
        with remembered_tuples():
            found = [total(columns(k), x) for k in range(MOST_KNOWN // 2 + 10)]
        assert found == [known(k) for k in range(MOST_KNOWN // 2 + 10)]
        assert total(held, x) == known(4) - 12.0
    assert total(columns(5), x) == known(5)


def test_remembered_tuples_are_kept_until_the_last_one_closes():
    @njit(nogil=True)
    def first(columns):
        return columns.arrays[0][0]

    held = columns(1)
    gone = weakref.ref(held.arrays[0])
    with remembered_tuples(), remembered_tuples():
        first(held)
        del held
        assert gone() is not None
    assert gone() is None
