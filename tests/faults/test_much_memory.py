"""Machine code in a process whose free memory lies in small holes, gigabytes from the rest."""

import subprocess
import sys

import pytest

SCRIPT = """
import ctypes, mmap
import vinculum as vc

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
NO_RESERVE = 0x4000


def reserve(size):
    place = libc.mmap(None, size, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE, -1, 0)
    assert place not in (None, 2**64 - 1)
    return place


top = reserve(4001 * mmap.PAGESIZE)
reserve(3 << 30)
for page in range(0, 4000, 2):
    libc.munmap(top + page * mmap.PAGESIZE, mmap.PAGESIZE)

arm = vc.System("arm", gravity=(0, 0, -9.81))
upper = arm.add(vc.RigidBody("upper", mass=1.0, com=(0, 0, -0.5), inertia=(0.084, 0.084, 0.001)))
lower = arm.add(vc.RigidBody("lower", mass=0.5, com=(0, 0, -0.4), inertia=(0.03, 0.03, 0.001)))
arm.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
arm.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
for method in ("taylor", "dop853"):
    motion = vc.simulate(arm, 0.1, {"shoulder": 1.2}, method=method, progress=False)
    assert motion.audit().passed, method
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is arranged by Linux's mmap")
def test_machine_code_runs_where_free_memory_lies_in_pages_and_far_below_them():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
