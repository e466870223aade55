"""Compiled functions are made by the package's own `njit`, which gives Python an entry only where it calls."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.disk.numba_cache import PACKAGE
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
def _filled(pair, row):
    x, y = pair.x, pair.y
    for k in range(len(row)):
        row[k] = pair.scale * x[k] + y[k]
    return row[0]


def test_variables_of_arguments_are_not_counted():
    @njit(nogil=True)
    def borrow(pair, table):
        again, total = Pair(pair.y, pair.x, 3.0), 0.0
        for k in range(len(table)):
            total += _filled(again if k else pair, table[k, 1:])
        return total

    table = np.zeros((2, 4))
    assert borrow(Pair(np.arange(3.0), np.ones(3), 2.0), table) == 1.0 + 3.0
    assert (table == [[0, 1, 3, 5], [0, 3, 4, 5]]).all()
    for compiled in (borrow, _filled):
        (made,) = compiled.overloads.values()
        assert "NRT_incref" not in made.library.get_llvm_str()


def test_arrays_that_are_made_or_returned_are_counted():
    @njit(nogil=True)
    def keep(pair, size):
        made = np.full(size, pair.scale)
        view = made[1:] if size > 2 else pair.x[1:]
        _filled(Pair(pair.x, pair.y, 1.0), view)
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
