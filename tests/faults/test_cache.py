"""The cache of compiled objects is private, survives damage, and spares the second process its compilation."""

import ast
import hashlib
import importlib.util
import os
import pickle
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from vinculum.compile.disk import cache, numba_cache
from vinculum.errors import FileError
from vinculum.tolerances.sizes import BYTES_OF_KEPT_INTEGRATORS

RUN = """
import vinculum as vc
from vinculum.compile.targets.llvm import machine as llvm
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


@pytest.mark.slow
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


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_every_folder_of_the_cache_is_the_users_alone_whatever_the_umask(tmp_path, mode):
    """A folder that others may look into stays as it is; what is made in it is closed to them."""
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(mode)
    lax = f"import os; os.umask(0)\n{PLACED}\nfrom vinculum.compile.engines import has_heyoka\n"
    lax += "from vinculum.compile.targets.heyoka import heyoka\nif has_heyoka(): heyoka()\n"
    environment = os.environ | {"VINCULUM_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", lax], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    inside = list(cache.rglob("*"))
    assert len([path for path in inside if path.suffix in (".nbi", ".nbc")]) >= 2
    for path in inside:
        assert stat.S_IMODE(path.stat().st_mode) & 0o022 == 0, path
        assert not path.is_dir() or stat.S_IMODE(path.stat().st_mode) == 0o700, path


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_a_folder_in_the_cache_that_others_can_write_is_refused(tmp_path):
    cache = tmp_path / "cache"
    (cache / "numba").mkdir(parents=True, mode=0o700)
    cache.chmod(0o700)
    (cache / "numba").chmod(0o777)
    environment = os.environ | {"VINCULUM_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", PLACED], capture_output=True, text=True, env=environment)
    assert done.returncode != 0 and "others can write into the cache directory" in done.stderr
    assert list((cache / "numba").iterdir()) == []


class Trap:
    """An object whose unpickling leaves a mark."""

    def __init__(self, mark):
        self.mark = str(mark)

    def __reduce__(self):
        return os.mkdir, (self.mark,)


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_what_others_can_write_or_have_damaged_is_compiled_anew_and_never_unpickled(tmp_path):
    cache, mark = tmp_path / "cache", tmp_path / "mark"
    environment = os.environ | {"VINCULUM_CACHE": str(cache)}

    def out():
        done = subprocess.run([sys.executable, "-c", PLACED], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert [out(), out()] == [["1.0", "0"], ["1.0", "1"]]
    kept = [path for path in cache.rglob("*.place_shapes-*") if path.suffix in (".nbi", ".nbc")]
    assert len(kept) == 2
    trap = pickle.dumps(Trap(mark))
    for path in kept:
        for content in (path.read_bytes()[:-1], bytes(32) + trap):
            path.write_bytes(content)
            assert out() == ["1.0", "0"] and not mark.exists()
        sealed = hashlib.sha256(trap).digest() + trap
        path.write_bytes(sealed)
        path.chmod(0o666)
        assert out() == ["1.0", "0"] and not mark.exists()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
@pytest.mark.slow
def test_objects_that_are_links_are_not_run(tmp_path):
    cache = tmp_path / "cache"
    expected = run(cache).stdout.split()[1]
    (path,) = objects(cache)
    link = tmp_path / "elsewhere"
    path.rename(link)
    path.symlink_to(link)
    assert run(cache).stdout.split() == ["1", expected]


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_the_doctor_looks_into_the_cache(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    path = cache / "object"
    path.write_bytes(b"")
    path.chmod(0o666)
    environment = os.environ | {"VINCULUM_CACHE": str(cache)}
    command = [sys.executable, "-c", "from vinculum.cli import main; main()", "doctor"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 1 and f"others can write {path}" in done.stderr


def test_a_cache_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    done = run(tmp_path / "file" / "cache", check=False)
    assert "cannot be made" in done.stderr and "VINCULUM_CACHE" in done.stderr


def test_the_key_names_the_tape_the_compiler_and_the_machine(monkeypatch):
    import vinculum as vc  # noqa: F401
    from trees import random_system
    from vinculum.compile.targets.llvm import machine as llvm
    from vinculum.models.types import model_of

    rng = __import__("numpy").random.default_rng(0)
    one, two = (model_of(random_system(rng, 2).tree()).tape("motion") for _ in range(2))
    keys = {llvm._key(one), llvm._key(two)}
    machine, cpu, features = llvm._target()
    monkeypatch.setattr(llvm, "_target", lambda: (machine, "another cpu", features))
    keys.add(llvm._key(one))
    monkeypatch.setattr(llvm, "EMITTER_VERSION", "another version")
    keys.add(llvm._key(one))
    assert len(keys) == 4 and cpu


PLACED = """
import numpy as np
from vinculum.compile.disk import cache, numba_cache
from vinculum.errors import FileError
from vinculum.collision.arrays import Shapes
from vinculum.contact.free_bodies.arrays import Flight, Inertia, Mounting
from vinculum.contact.free_bodies.flights import place_shapes
one, turn, unit = np.zeros((1, 3)), np.zeros((1, 3, 3)), np.eye(3)[None]
shapes = Shapes(one.copy(), turn, np.zeros(1, dtype=np.int64), one.copy(), np.ones(1))
flight = Flight(one.copy(), np.zeros((1, 4)), turn.copy(), np.zeros((1, 8)), one.copy(), np.eye(3), np.eye(3))
place_shapes(False, one, np.array([[1.0, 0, 0, 0]]), shapes, Mounting(one, unit), Inertia(unit, unit), flight)
print(turn[0, 0, 0], sum(place_shapes.stats.cache_hits.values()))
"""


def test_numba_compiles_anew_what_calls_a_changed_function_of_another_file(tmp_path):
    """Alone it looks at the caller's file only, and would go on with the physics of before."""
    package, cache = tmp_path / "vinculum", tmp_path / "cache"
    shutil.copytree(numba_cache.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))

    def out():
        environment = os.environ | {"VINCULUM_CACHE": str(cache), "PYTHONPATH": str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", PLACED], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert [out(), out()] == [["1.0", "0"], ["1.0", "1"]]
    attitudes = package / "contact" / "free_bodies" / "attitudes.py"
    right = attitudes.read_text()
    attitudes.write_text(right.replace("= 1.0 - 2.0 * (y", "= 8.0 - 2.0 * (y"))
    assert right != attitudes.read_text() and [out(), out()] == [["8.0", "0"], ["8.0", "1"]]
    unused = package / "collision" / "primitives" / "boxes.py"
    unused.write_text(unused.read_text() + "\n")
    assert out() == ["8.0", "1"]


def test_a_function_without_one_that_it_needs_is_compiled_anew_with_it(tmp_path):
    """Its object only names the symbol of the other, and an engine without that symbol would end the process."""

    def out():
        environment = os.environ | {"VINCULUM_CACHE": str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", PLACED], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert [out(), out()] == [["1.0", "0"], ["1.0", "1"]]
    needed = list(tmp_path.rglob("flights.place_shapes-*.nbc"))
    assert len(needed) == 1
    needed[0].unlink()
    assert [out(), out()] == [["1.0", "0"], ["1.0", "1"]]


def test_others_functions_that_call_ours_run_and_are_not_kept(tmp_path):
    """Numba would load them without what they need."""
    (tmp_path / "theirs.py").write_text(
        "import numba\nfrom vinculum.contact.free_bodies.flights import place_shapes\n"
        "@numba.njit(cache=True)\ndef place(*these):\n    place_shapes(*these)\n"
    )
    program = PLACED.replace("place_shapes(False", "import theirs; theirs.place(False").replace(
        "place_shapes.stats", "theirs.place.stats"
    )
    paths = os.pathsep.join([str(tmp_path), str(numba_cache.PACKAGE.parent)])
    environment = os.environ | {"VINCULUM_CACHE": str(tmp_path / "cache"), "PYTHONPATH": paths}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
        assert done.stdout.split() == ["1.0", "0"], done.stderr


def test_all_imports_of_all_kernels_are_in_their_stamps():
    for path in numba_cache.PACKAGE.rglob("*.py"):
        names = set()
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ImportFrom):
                names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
        files = {_file(name) for name in names if name.startswith("vinculum.")} - {None}
        assert numba_cache._imported_by(path) == files, path.name


def _file(name):
    """The file of a module, or None for a name in one."""
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
    return None if found is None else Path(found.origin)


def test_an_index_that_names_a_class_which_is_gone_is_as_none(monkeypatch):
    monkeypatch.setattr(numba_cache.private, "read_own", lambda path: b"cvinculum.errors\nGone\n.")
    files = object.__new__(numba_cache.OwnFiles)
    files._index_path = "index"
    assert files._load_index() == {}


def test_functions_of_others_are_left_to_numba(tmp_path):
    (tmp_path / "theirs.py").write_text("import numba\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\n")
    program = "import vinculum.compile, theirs; theirs.twice(1.0); print(theirs.twice.stats.cache_path)"
    environment = os.environ | {"VINCULUM_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert Path(done.stdout.strip()) == tmp_path / "__pycache__", done.stderr


def test_compiled_integrators_on_disk_have_a_limit():
    """heyoka's own is 20 GB, and beyond some GB every new model waits until all of it is read."""
    pytest.importorskip("heyoka")
    from vinculum.compile.targets.heyoka import heyoka

    assert heyoka().llvm_state.get_diskcache_limit() == BYTES_OF_KEPT_INTEGRATORS


@pytest.mark.skipif(os.name != "posix", reason="files have owners on POSIX systems")
def test_what_belongs_to_another_user_is_never_read(tmp_path, monkeypatch):
    """Of whoever it is: a file is a miss, a folder is refused, and the doctor tells."""
    place = tmp_path / "cache"
    monkeypatch.setenv("VINCULUM_CACHE", str(place))
    cache.private.cache_clear()
    cache.write_own(cache.directory() / "kept", b"content")
    assert cache.read_own(place / "kept") == b"content" and not list(cache.foreign())
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    cache.private.cache_clear()
    assert cache.read_own(place / "kept") is None
    with pytest.raises(FileError, match="belongs to another user; set VINCULUM_CACHE"):
        cache.private(place)
    monkeypatch.setattr(os, "getuid", lambda: owner)
    cache.private.cache_clear()
    if owner == 0:
        os.chown(place / "kept", 12345, -1)
        assert cache.read_own(place / "kept") is None
        assert any("belongs to another user" in line for line in cache.foreign())
    monkeypatch.undo()
    cache.private.cache_clear()
