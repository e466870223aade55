"""Compiled functions are made by the package's own `njit`, which gives Python an entry only where it calls."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

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
