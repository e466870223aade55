"""The command line: exit codes, clean messages, and nothing left behind on bad input."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import vinculum as vc
from vinculum.cli.app import app
from vinculum.compile.engines import has_heyoka

MODEL = """
[system]
gravity = [0, 0, -9.81]
[parameters]
m = 1.0
[bodies.rod]
mass = "m"
com = [0, 0, -0.5]
inertia = [0.084, 0.084, 0.001]
[joints.hinge]
kind = "revolute"
parent = "ground"
child = "rod"
axis = [0, 1, 0]
[start]
hinge = "30 deg"
[run]
until = 1.0
grid = 11
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.toml").write_text(MODEL)
    return tmp_path


def call(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_run_is_certified_stored_and_plotted(here):
    done = call("run", "model.toml", "--out", "run.zarr", "--plot", "run.png")
    assert done.exit_code == 0, done.output
    assert "PASSED" in done.stdout and "degrees of freedom" in done.stdout
    assert names(here) == ["model.toml", "run.png", "run.zarr"]
    assert (here / "run.png").read_bytes().startswith(b"\x89PNG")
    assert call("audit", "run.zarr").exit_code == 0
    assert call("run", "model.toml", "--out", "run.zarr", "--plot", "run.png", "--quiet").stdout == ""


def test_json_is_one_document_and_nothing_else(here):
    done = call("run", "model.toml", "--json", "--set", "m=2", "--until", "0.5", "--out", "run.zarr")
    document = json.loads(done.stdout)
    assert document["certificate"]["passed"] is True
    assert document["parameters"] == {"m": 2.0}
    assert document["end"] == 0.5
    for words in (("info", "run.zarr"), ("info", "model.toml"), ("audit", "run.zarr"), ("doctor",)):
        assert json.loads(call(*words, "--json").stdout)


def test_info_names_what_there_is(here):
    document = json.loads(call("info", "model.toml", "--json").stdout)
    assert document["degrees_of_freedom"] == 1
    assert document["joints"][0]["coordinates"] == [{"name": "hinge", "unit": "rad"}]
    assert document["parameters"] == {"m": 1.0}
    assert call("run", "model.toml", "--out", "run.zarr").exit_code == 0
    stored = json.loads(call("info", "run.zarr", "--json").stdout)
    assert stored["bodies"] == [{"name": "rod", "kind": "RigidBody"}]
    for words in (("info", "model.toml"), ("info", "run.zarr")):
        shown = call(*words).stdout
        assert "hinge [rad]" in shown and "Revolute" in shown


def test_info_names_potentials_and_forces(here):
    words = ['[bodies.a]\nkind = "point"\nmass = 1\n[bodies.b]\nkind = "point"\nmass = 1',
             '[potentials.tie]\nkind = "spring"\na = "a"\nb = "b"\nstiffness = 2',
             '[forces.wind]\nkind = "force"\nbody = "a"\nforce = [1, 0, 0]']  # fmt: skip
    Path("tied.toml").write_text("\n".join(words), encoding="utf-8")
    assert json.loads(call("info", "tied.toml", "--json").stdout)["actions"] == [
        {"name": "tie", "kind": "Spring", "bodies": ["a", "b"]},
        {"name": "wind", "kind": "Force", "bodies": ["a"]},
    ]
    assert "Spring" in call("info", "tied.toml").stdout


@pytest.fixture
def hidden_heyoka(monkeypatch):
    """The engine is looked for once in a process."""
    monkeypatch.setenv("VINCULUM_HIDE_HEYOKA", "1")
    has_heyoka.cache_clear()
    yield
    has_heyoka.cache_clear()


@pytest.mark.usefixtures("hidden_heyoka")
def test_the_doctor_says_which_engine_will_run():
    document = json.loads(call("doctor", "--json").stdout)
    assert document["engine"]["default"] == "dop853"
    installed = set(document["dependencies"]).union(*document["extras"].values())
    assert set(document["dependencies"]) >= {"numpy", "numba"} and installed >= {"casadi", "scipy", "heyoka"}
    assert document["cpu"]["doubles_per_vector"] in (2, 4, 8)
    assert document["problems"] == []
    assert "dop853" in call("doctor").stdout


def test_the_doctor_fails_on_a_cache_that_others_can_write(tmp_path, monkeypatch):
    (tmp_path / "cache").mkdir()
    os.chmod(tmp_path / "cache", 0o777)
    monkeypatch.setenv("VINCULUM_CACHE", str(tmp_path / "cache"))
    done = call("doctor")
    assert done.exit_code == 1
    assert "others can write" in done.stderr


def test_the_version_is_printed():
    assert call("--version").stdout.strip() == vc.__version__


@pytest.mark.parametrize("words, message", [
    (["run", "absent.toml"], "there is no file absent.toml"),
    (["run", "."], "is a folder"),
    (["run", "model.toml", "--until", "0"], "end time 0 s is not after"),
    (["run", "model.toml", "--until", "-1"], "end time -1 s is not after"),
    (["run", "model.toml", "--until", "nan"], "finite"),
    (["run", "model.toml", "--method", "euler"], "'euler' is not known"),
    (["run", "model.toml", "--method", "rk4"], "needs --step"),
    (["run", "model.toml", "--step", "0.1", "--method", "dop853"], "chooses its own steps"),
    (["run", "model.toml", "--method", "dop853", "--tolerance", "7"], "tolerance 7"),
    (["run", "model.toml", "--grid", "1"], "two instants"),
    (["run", "model.toml", "--set", "m"], "not name=value"),
    (["run", "model.toml", "--set", "m=heavy"], "'heavy'"),
    (["run", "model.toml", "--set", "n=1"], "no parameter 'n'"),
    (["run", "model.toml", "--set", "m=-1"], "not positive"),
    (["run", "model.toml", "--set", "m=__import__('os')"], "__import__"),
    (["run", "model.toml", "--out", "absent/run.zarr"], "not a folder"),
    (["run", "model.toml", "--out", "model.toml"], "not a Vinculum run"),
    (["run", "model.toml", "--out", "model.toml/run.zarr"], "not a folder"),
    (["run", "model.toml", "--plot", "absent/run.png"], "not a folder"),
    (["run", "model.toml", "--plot", "run.txt"], ".png"),
    (["run", "model.toml", "--plot", "x.png", "--out", "x.png"], "would overwrite the run"),
    (["audit", "absent.zarr"], "absent.zarr"),
    (["audit", "model.toml"], "not a stored run"),
    (["audit", "."], "zarr"),
    (["plot", "model.toml", "hing", "--out", "x.png"], "did you mean 'hinge'"),
    (["plot", "model.toml", "--out", "x.txt"], ".png"),
    (["plot", "absent.toml", "--out", "x.png"], "there is no file"),
    (["info", "absent.toml"], "there is no file"),
], ids=" ".join)  # fmt: skip
def test_bad_input_exits_with_2_and_leaves_nothing_behind(here, words, message):
    for form in ([], ["--json"]):
        done = call(*words, *form)
        assert done.exit_code == 2, done.output
        assert names(here) == ["model.toml"]
        assert (here / "model.toml").read_text() == MODEL
        assert "Traceback" not in done.output
        if form:
            said = json.loads(done.stdout)["error"]["message"]
            assert done.stderr == ""
        else:
            said = done.stderr
            assert done.stdout == ""
        assert message in said.replace("\n", " ")


def test_a_model_without_an_end_time_asks_for_one(here):
    (here / "model.toml").write_text(MODEL.replace("until = 1.0", ""))
    done = call("run", "model.toml")
    assert done.exit_code == 2 and "--until" in done.stderr
    assert call("run", "model.toml", "--until", "0.5").exit_code == 0


def test_an_unknown_option_exits_with_2(here):
    assert call("run", "model.toml", "--fast").exit_code == 2


@pytest.mark.parametrize("option, name", [("--out", "run.zarr"), ("--plot", "run.png")])
def test_what_vinculum_did_not_write_is_left_alone(here, option, name):
    (here / name).write_text("precious")
    done = call("run", "model.toml", option, name)
    assert done.exit_code == 2
    assert "not changed" in done.stderr
    assert (here / name).read_text() == "precious"
    (here / "folder.zarr").mkdir()
    (here / "folder.zarr" / "precious").write_text("precious")
    assert call("run", "model.toml", "--out", "folder.zarr").exit_code == 2
    assert names(here / "folder.zarr") == ["precious"]


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="the superuser can write anywhere")
def test_a_folder_without_permission_is_refused_before_the_run(here):
    (here / "locked").mkdir(mode=0o500)
    for words in (("--out", "locked/run.zarr"), ("--plot", "locked/run.png")):
        done = call("run", "model.toml", *words)
        assert done.exit_code == 2 and "cannot be written" in done.stderr


@pytest.mark.parametrize("option, name", [("--out", "run.zarr"), ("--plot", "run.png")])
def test_a_place_that_cannot_be_written_is_refused_before_the_run(here, monkeypatch, option, name):
    def denied(dir=None, **kept):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", denied)
    monkeypatch.setattr("vinculum.simulation.simulate", lambda *given, **named: pytest.fail("it ran"))
    done = call("run", "model.toml", option, name)
    assert done.exit_code == 2
    assert "Permission denied" in done.stderr and "choose another path" in done.stderr
    assert names(here) == ["model.toml"]


def test_a_failed_certificate_exits_with_1(here):
    system = vc.System("rod", gravity=(0, 0, -9.81))
    rod = system.add(vc.RigidBody("rod", mass=1.0, com=(0, 0, -0.5), inertia=(0.084, 0.084, 0.001)))
    system.add(vc.Revolute("hinge", "ground", rod, axis=(0, 1, 0)))
    motion = vc.simulate(system, until=1.0, start={"hinge": 0.5})
    motion.replace(v=1.01 * motion.v).save(here / "wrong.zarr")
    done = call("audit", "wrong.zarr")
    assert done.exit_code == 1
    assert "FAILED" in done.stdout
    document = json.loads(call("audit", "wrong.zarr", "--json").stdout)
    assert document["certificate"]["passed"] is False


def test_a_run_that_stops_early_keeps_what_it_has_and_exits_with_1(here):
    (here / "model.toml").write_text(MODEL.replace("axis = [0, 1, 0]", 'axis = [0, 1, 0]\ndrive = "-1/(q - 0.4)**3"'))
    done = call("run", "model.toml", "--until", "100", "--out", "run.zarr", "--json")
    assert done.exit_code == 1, done.output
    assert json.loads(done.stdout)["failure"]
    assert vc.load(here / "run.zarr").record.pieces.end < 100


def test_ctrl_c_before_the_first_step_exits_with_130(here, monkeypatch):
    def interrupted(*given, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr("vinculum.simulation.simulate", interrupted)
    done = call("run", "model.toml", "--out", "run.zarr")
    assert done.exit_code == 130
    assert names(here) == ["model.toml"]


@pytest.mark.skipif(os.name != "posix", reason="signals are posix")
def test_ctrl_c_keeps_what_was_computed_and_exits_with_130(here):
    program = Path(sys.executable).with_name("vinculum")
    command = [
        str(program) if program.exists() else "vinculum",
        "run",
        "model.toml",
        "--until",
        "1e9",
        "--out",
        "run.zarr",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    chunk = here / ".run.zarr.partial" / "coefficients"
    for _ in range(2400):
        if chunk.exists() and len(names(chunk)) > 1:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "interrupted at t =" in said
    assert names(here) == ["model.toml", "run.zarr"]
    assert 0 < vc.load(here / "run.zarr").record.pieces.end < 1e9


def test_the_command_line_starts_light():
    code = "import sys, vinculum.cli; print(sorted({'numpy', 'pydantic', 'rich', 'casadi', 'zarr'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize(("words", "said"), [
    (("--method", "rk4"), "method 'rk4' needs --step, the length of a time step"),
    (("--step", "0.1", "--method", "dop853"), "leave step out"),
    (("--grid", "1"), "--grid 1: at least two instants"),
])  # fmt: skip
def test_messages_speak_of_options(here, words, said):
    done = call("run", "model.toml", *words)
    assert done.exit_code == 2
    assert said in done.output and "step=" not in done.output
    assert said in json.loads(call("run", "model.toml", "--json", *words).stdout)["error"]["message"]


def test_one_step_and_one_time_are_said_in_the_singular(here):
    (here / "model.toml").write_text(MODEL + '\n[events.once]\nof = "hinge"\nfunction = "t - 0.5"\n')
    done = call("run", "model.toml", "--method", "rk4", "--step", "1.0")
    assert "in 1 step\n" in done.output and "once, 1 time\n" in done.output
    assert "1 step, rk4" in repr(vc.simulate(vc.read_model("model.toml").system, 1.0, method="rk4", step=1.0))


STARTED = "from vinculum.cli import main; print('started', flush=True); main()"


SWALLOWED = """
import ctypes, os, signal, time
from vinculum.cli.interrupts import CtrlC
CtrlC().listen()
ctypes.CFUNCTYPE(None)(lambda: (os.kill(os.getpid(), signal.SIGINT), time.sleep(0.01)))()
try:
    time.sleep(20)
except KeyboardInterrupt:
    print("heard")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are posix")
def test_ctrl_c_in_a_callback_that_swallows_it_is_heard_afterwards():
    said = subprocess.run([sys.executable, "-c", SWALLOWED], capture_output=True, text=True, timeout=60)
    assert (said.stdout, said.stderr) == ("heard\n", "")


TURNED = """
import os, signal
import vinculum.cli.app as made
from vinculum.cli import main
def app():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        raise ValueError("an error of compiled code")
made.app = app
main()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are posix")
def test_ctrl_c_that_compiled_code_turns_into_an_error_is_one_line_and_130():
    said = subprocess.run([sys.executable, "-c", TURNED], capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stderr) == (130, "vinculum: interrupted\n")


@pytest.mark.skipif(os.name != "posix", reason="signals are posix")
@pytest.mark.parametrize("delay", [0.02, 0.1, 0.25, 0.5, 0.8])
def test_ctrl_c_while_the_program_starts_is_one_line_and_130(here, delay):
    command = [sys.executable, "-c", STARTED, "run", "model.toml", "--until", "1e9"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "started\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert said.startswith("vinculum: interrupted") and said.count("\n") == 1


def test_the_faults_of_a_file_are_data_for_programs(here):
    text = MODEL.replace("axis =", "axes =").replace("30 deg", "1 kg").replace("until = 1.0", 'until = "1 m"')
    (here / "model.toml").write_text(text)
    error = json.loads(call("run", "model.toml", "--json").stdout)["error"]
    assert error["kind"] == "FileError" and error["exit_code"] == 2
    assert ("run", "until") in [(one["table"], one["key"]) for one in error["problems"]] and all(
        one["message"] in error["message"] for one in error["problems"]
    )
    assert ("joints.hinge", "axes") in [(one["table"], one["key"]) for one in error["problems"]]
    assert json.loads(call("run", "absent.toml", "--json").stdout)["error"]["problems"] == []


@pytest.mark.parametrize("kind", ["phase", "path", "energy"])
def test_a_plot_of_every_kind_is_written(here, kind):
    done = call("plot", "model.toml", "--kind", kind, "--out", "plot.png", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["kind"] == kind and (here / "plot.png").stat().st_size > 5000
    refused = call("plot", "model.toml", "--kind", "fase", "--out", "other.png")
    assert refused.exit_code == 2 and "it has time, phase, path, energy\n" in refused.stderr
    assert not (here / "other.png").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("wat.toml", "there is no example 'wat.toml'; did you mean 'watt_governor.toml'?"),
        ("pendulum", "did you mean 'double_pendulum.py' or 'double_pendulum.toml' or 'elastic_pendulum.toml'?"),
        ("four-bar.toml", "did you mean 'four_bar.toml'"),
        ("zzzz", "there is no example 'zzzz'; vinculum examples lists them all"),
    ],
)
def test_an_example_that_is_not_there_names_near_ones(here, name, said):
    refused = call("examples", name)
    assert refused.exit_code == 2 and said in " ".join(refused.output.split())
    assert names(here) == ["model.toml"]
