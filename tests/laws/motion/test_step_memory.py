"""Memory of steps is handed out again only when nothing refers to it any more."""

import gc

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka
from vinculum.integrators.taylor.step_memory import StepMemory
from vinculum.tolerances.sizes import KEPT_SLABS, SLAB, SMALLEST_SLAB_USER

SHAPE = (1000, 36, 21)
VIEWS = {
    "the array": lambda a: a,
    "rows": lambda a: a[2:4],
    "a row": lambda a: a[0, 0],
    "its numbers as integers": lambda a: a[3].view(np.int64),
    "turned over": lambda a: a.T,
    "one after another": lambda a: a.ravel()[5:],
    "as a buffer": memoryview,
    "repeated": lambda a: np.broadcast_to(a[0], (2, *a.shape[1:])),
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_slab_waits_for_the_last_view_of_it(view):
    memory = StepMemory()
    held = VIEWS[view](memory.array(SHAPE))
    gc.collect()
    assert memory.kept == 0
    del held
    gc.collect()
    assert memory.kept == SLAB


def test_arrays_in_use_do_not_overlap():
    memory = StepMemory()
    first = memory.array(SHAPE)
    first[:] = 1.0
    second = memory.array(SHAPE)
    second[:] = 2.0
    assert (first == 1.0).all()
    address = first.ctypes.data
    del first
    assert memory.array(SHAPE).ctypes.data == address


def test_no_more_than_a_few_slabs_are_kept():
    memory = StepMemory()
    several = [memory.array(SHAPE) for _ in range(KEPT_SLABS + 3)]
    del several
    gc.collect()
    assert memory.kept == KEPT_SLABS * SLAB


def test_small_arrays_and_very_large_ones_come_from_the_system():
    memory = StepMemory()
    few, many = memory.array((SMALLEST_SLAB_USER // 8 - 1,)), memory.array((SLAB // 8 + 1,))
    assert few.base is None and many.base is None
    del few, many
    assert memory.kept == 0


@needs_heyoka
def test_motions_that_are_kept_stay_as_they_are():
    system = vc.System("two points")
    system.add(vc.MassPoint("a", 1.0))
    system.add(vc.MassPoint("b", 1.0))
    system.add(vc.potentials.Gravitation("gravitation", ["a", "b"], G=1.0))

    def run(speed):
        start = {"a": vc.At((-0.5, 0, 0), rate=(0, -speed, 0)), "b": vc.At((0.5, 0, 0), rate=(0, speed, 0))}
        return vc.simulate(system, 2000.0, start, grid=101, progress=False)

    one = run(0.7)
    before = np.array(one.record.pieces.coefficients)
    assert before.nbytes > SMALLEST_SLAB_USER
    for speed in (0.6, 0.65):
        run(speed)
    np.testing.assert_array_equal(np.asarray(one.record.pieces.coefficients), before)
    np.testing.assert_array_equal(np.asarray(run(0.7).record.pieces.coefficients), before)
