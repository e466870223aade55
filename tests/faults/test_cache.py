"""The cache of compiled objects is private, survives damage, and spares the second process its compilation."""

import os
import stat
import subprocess
import sys

import pytest

RUN = """
import vinculum as vc
from vinculum.kernels import llvm
made = []
original = llvm._machine_code
llvm._machine_code = lambda *arguments: (made.append(1), original(*arguments))[1]
system = vc.System("pendulum", gravity=(0, 0, -9.81))
system.add(vc.RigidBody("rod", 1.0, (0, 0, -0.5), (0.1, 0.1, 0.01)))
system.add(vc.Revolute("hinge", "ground", "rod", axis=(0, 1, 0)))
motion = vc.simulate(system, 1.0, {"hinge": 1.0}, method="rk4", step=0.01)
print(len(made), repr(float(motion.q[-1, 0])))
"""


def run(cache, check=True):
    environment = os.environ | {"VINCULUM_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, env=environment)
    if check:
        assert done.returncode == 0, done.stderr
    return done


def objects(cache):
    return [p for p in cache.iterdir() if p.is_file()]


def test_the_second_process_compiles_nothing_and_gets_the_same_bits(tmp_path):
    cache = tmp_path / "cache"
    first, second = run(cache).stdout.split(), run(cache).stdout.split()
    assert (int(first[0]), int(second[0])) == (1, 0)
    assert first[1] == second[1]
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700


def test_a_damaged_object_is_compiled_anew(tmp_path):
    cache = tmp_path / "cache"
    expected = run(cache).stdout.split()[1]
    for damage in (lambda data: data[:100], lambda data: data[:-1] + bytes([data[-1] ^ 1]), lambda data: b""):
        (path,) = objects(cache)
        path.write_bytes(damage(path.read_bytes()))
        again = run(cache).stdout.split()
        assert again == ["1", expected]


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_a_directory_that_others_can_write_is_refused(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    cache.chmod(0o777)
    done = run(cache, check=False)
    assert done.returncode != 0
    assert "others can write into the cache directory" in done.stderr
    assert "chmod 700" in done.stderr
    assert objects(cache) == []


def test_a_cache_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    done = run(tmp_path / "file" / "cache", check=False)
    assert "cannot be made" in done.stderr and "VINCULUM_CACHE" in done.stderr


def test_the_key_names_the_tape_the_compiler_and_the_machine(monkeypatch):
    import vinculum as vc  # noqa: F401
    from trees import random_system
    from vinculum.kernels import llvm
    from vinculum.kernels.model import model_of

    rng = __import__("numpy").random.default_rng(0)
    one, two = (model_of(random_system(rng, 2).tree()).tape("motion") for _ in range(2))
    keys = {llvm._key(one), llvm._key(two)}
    machine, cpu, features = llvm._target()
    monkeypatch.setattr(llvm, "_target", lambda: (machine, "another cpu", features))
    keys.add(llvm._key(one))
    monkeypatch.setattr(llvm, "EMITTER_VERSION", "another version")
    keys.add(llvm._key(one))
    assert len(keys) == 4 and cpu
