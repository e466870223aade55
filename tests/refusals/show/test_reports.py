"""Reports: all there is in one file, from any motion; what cannot be written is one sentence and no file."""

import hashlib
import os
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import vinculum as vc
from seen import attracted_points, bouncing_ball, closed_loop, pendulum, rolling_disc
from vinculum.cli.app import app
from vinculum.errors import FileError, RunError, StartError
from vinculum.motion.storage.recorder import model_bytes

MOTIONS = (pendulum, closed_loop, rolling_disc, bouncing_ball, attracted_points)
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
VOID = {"meta", "img", "br", "hr"}


class Reader(HTMLParser):
    """The elements of a page: that they close in order, the sections, and every address."""

    def __init__(self, text):
        super().__init__()
        self.open, self.sections, self.addresses, self.tags, self.wrong = [], [], [], [], []
        self._heading = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]
        if tag not in VOID:
            self.open.append(tag)
        self._heading = tag == "h2"

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)
        self._heading = False

    def handle_data(self, data):
        if self._heading:
            self.sections.append(data)


def read(path):
    found = Reader(path.read_text(encoding="utf-8"))
    assert not found.wrong and not found.open
    assert "script" not in found.tags
    assert all(address.startswith(("data:", "#")) for address in found.addresses)
    return found


@pytest.fixture(scope="module")
def swing():
    system = vc.LagrangianSystem("swing", ["phi"], lambda q, v: 0.5 * v[0] ** 2 + 9.81 * vc.math.cos(q[0]))
    return vc.simulate(system, 1.0, ([1.0], [0.0]), progress=False)


@pytest.mark.parametrize("make", MOTIONS, ids=lambda make: make.__name__)
def test_a_report_has_everything_in_one_file(make, tmp_path):
    motion = make()
    page = motion.plot.report(tmp_path / "run.html")
    assert [path.name for path in tmp_path.iterdir()] == ["run.html"] and "<iframe" in page._repr_html_()
    found = read(page.path)
    for section in ("System", "Equations of motion", "Motion", "Energy", "Certificate", "How it was computed"):
        assert section in found.sections
    assert found.tags.count("img") == 2 and found.tags.count("svg") >= 2
    text = page.path.read_text(encoding="utf-8")
    assert found.tags.count("math") > 1 or (make is rolling_disc and "too long to be typeset" in text)
    certificate = motion.audit()
    for line in certificate.lines:
        assert f"{line.residual:.1e}" in text
    model = motion.record.model
    assert hashlib.sha256(model_bytes(model, motion.record.parameters)).hexdigest() in text
    for name in (*model.layout.bodies, *model.layout.joints, *model.layout.actions, *model.layout.unilaterals):
        assert name in text


def test_joints_have_reactions_in_the_report(tmp_path):
    found = read(pendulum().plot.report(tmp_path / "run.html").path)
    assert "Reactions and forces" in found.sections


def test_reported_reactions_are_those_of_the_views():
    from vinculum.show.report.by_type import REPORTS

    motion = pendulum()
    panels = REPORTS.of(motion.record.model).reactions(motion.record)
    force = next(panel for panel in panels if "force" in panel.label)
    for name, values in zip(force.names, force.values.T, strict=True):
        np.testing.assert_allclose(values, np.linalg.norm(motion.joint(name).force, axis=1), rtol=1e-12)


def test_a_report_on_a_stored_run_has_the_hash_of_the_motion_itself(tmp_path):
    """And says that formulas are not stored."""
    motion = pendulum()
    motion.save(tmp_path / "run.zarr")
    texts = [
        one.plot.report(tmp_path / "r.html").path.read_text("utf-8") for one in (motion, vc.load(tmp_path / "run.zarr"))
    ]
    hashes = [re.search(r"<code>([0-9a-f]{64})</code>", text)[1] for text in texts]
    assert hashes[0] == hashes[1]
    assert "<math" in texts[0] and "<math" not in texts[1]
    assert "keeps the equations as tapes" in texts[1]
    again = vc.load(tmp_path / "run.zarr").replace(system=motion.record.model.system)
    assert "<math" in again.plot.report(tmp_path / "r.html").path.read_text("utf-8")


def test_a_report_on_a_stored_run_says_which_versions_computed_it(tmp_path, monkeypatch):
    """A run that was loaded and saved again keeps the versions of its first computation."""
    motion = pendulum()
    motion.save(tmp_path / "run.zarr")
    for module in ("vinculum.motion.storage.recorder", "vinculum.show.report.report"):
        monkeypatch.setattr(f"{module}.installed_versions", lambda: "Vinculum 99")
    vc.load(tmp_path / "run.zarr").save(tmp_path / "again.zarr")
    text = vc.load(tmp_path / "again.zarr").plot.report(tmp_path / "r.html").path.read_text("utf-8")
    assert re.search(r"computed by.*?Vinculum 0\.", text, re.S) and re.search(
        r"report made by.*?Vinculum 99", text, re.S
    )
    fresh = motion.plot.report(tmp_path / "f.html").path.read_text("utf-8")
    assert "computed by" in fresh and "report made by" not in fresh


def test_the_command_takes_the_formulas_of_a_stored_run_from_its_model_file(tmp_path):
    model, run, out = (str(tmp_path / name) for name in ("m.toml", "m.zarr", "m.html"))
    shutil.copy(EXAMPLES / "double_pendulum.toml", model)
    for line in (["run", model, "--out", run, "--quiet"], ["report", run, "--model", model, "--out", out]):
        assert CliRunner().invoke(app, line).exit_code == 0
    assert "<math" in Path(out).read_text("utf-8")
    refused = CliRunner().invoke(app, ["report", model, "--model", model, "--out", str(tmp_path / "n.html")])
    assert refused.exit_code != 0 and "not a stored run" in refused.output


def test_another_model_has_another_hash(tmp_path):
    def of(mass):
        system = vc.System("drop", gravity=(0, 0, -9.81))
        system.add(vc.MassPoint("p", mass))
        text = vc.simulate(system, 0.1, progress=False).plot.report(tmp_path / "r.html").path.read_text("utf-8")
        return re.search(r"<code>([0-9a-f]{64})</code>", text)[1]

    assert of(1.0) != of(2.0)
    assert of(1.0) == of(1.0)


def test_a_lagrangian_motion_is_reported_and_drawn_if_asked(swing, tmp_path):
    found = read(swing.plot.report(tmp_path / "run.html").path)
    assert "Equations of motion" in found.sections and "img" not in found.tags and "math" in found.tags
    drawn = read(swing.plot.report(tmp_path / "run.html", draw=lambda q: [(0, 0), (np.sin(q[0]), -np.cos(q[0]))]).path)
    assert drawn.tags.count("img") == 2
    with pytest.raises(StartError, match="draw 3 must be a function"):
        swing.plot.report(tmp_path / "other.html", draw=3)
    assert not (tmp_path / "other.html").exists()


def test_names_are_escaped(tmp_path):
    evil = "<script>alert('x')<b>&\""
    system = vc.System(evil, gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("<img src=x>", 1.0, (0, 0, -1), (1, 1, 1)))
    system.add(vc.Revolute("<b>&joint", "ground", body, axis=(0, 1, 0)))
    path = vc.simulate(system, 0.2, {"<b>&joint": 0.3}, progress=False).plot.report(tmp_path / "run.html").path
    found = read(path)
    assert found.tags.count("img") == 2 and "b" not in found.tags
    assert "&lt;img src=x&gt;" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("run.txt", r"report .*run.txt: unknown suffix '.txt'; use one of .html, .htm"),
        ("nowhere/run.html", "is not a folder; choose another path"),
        (3, "3 is not a path; give a file such as 'report.html'"),
    ],
)
def test_a_report_in_the_wrong_place_is_refused(swing, tmp_path, path, said):
    with pytest.raises(FileError, match=said):
        swing.plot.report(tmp_path / path if isinstance(path, str) else path)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_no_half_written_report(swing, tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    earlier = '<meta name="generator" content="Vinculum">earlier'
    (tmp_path / "run.html").write_text(earlier)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match=r"report .* cannot be written: No space left on device; choose another path"):
        swing.plot.report(tmp_path / "run.html")
    assert [path.read_text() for path in tmp_path.iterdir()] == [earlier]


def command(*given):
    return CliRunner().invoke(app, [str(one) for one in given])


def test_the_commands_write_reports_and_keep_other_files(tmp_path):
    model = Path(__file__).resolve().parents[3] / "examples" / "double_pendulum.toml"
    run, first, second = tmp_path / "run.zarr", tmp_path / "first.html", tmp_path / "second.html"
    done = command("run", model, "--until", 0.2, "--out", run, "--report", first)
    assert done.exit_code == 0 and f"{first}" in done.output
    assert "Certificate" in read(first).sections
    done = command("report", run, "--out", second)
    assert done.exit_code == 0 and "written" in done.output
    assert "How it was computed" in read(second).sections
    assert '"verdict": "passed"' in command("report", run, "--out", second, "--json").output
    (tmp_path / "mine.html").write_text("mine")
    for given in (("report", run, "--out"), ("run", model, "--report")):
        refused = command(*given, tmp_path / "mine.html")
        assert refused.exit_code == 2 and "is not a page of Vinculum" in refused.output
        assert command(*given, tmp_path / "nowhere" / "a.html").exit_code == 2
        assert "must end in .html, .htm" in command(*given, tmp_path / "a.pdf").output
    assert (tmp_path / "mine.html").read_text() == "mine"
    assert (
        "would overwrite the run"
        in command("run", model, "--out", tmp_path / "x.html", "--report", tmp_path / "x.html").output
    )
    assert not (tmp_path / "x.html").exists()


def test_a_run_without_geometry_is_reported_with_balls(tmp_path):
    """As one that an earlier version stored."""
    motion = pendulum()
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    bare = replace(loaded, record=replace(loaded.record, model=replace(loaded.record.model, geometry=None)))
    found = read(bare.plot.report(tmp_path / "bare.html").path)
    assert found.tags.count("img") == 2 and "Certificate" in found.sections


def test_a_constrained_lagrangian_has_its_multipliers_in_the_report(tmp_path):
    system = vc.LagrangianSystem(
        "rod",
        ["x", "y"],
        lambda q, v: 0.5 * (v[0] ** 2 + v[1] ** 2) - 9.81 * q[1],
        constraints={"rod": (lambda q: q[0] ** 2 + q[1] ** 2 - 1, vc.DAlembert())},
    )
    motion = vc.simulate(system, 0.5, ([1.0, 0.0], [0.0, 0.0]), progress=False)
    assert "Reactions and forces" in read(motion.plot.report(tmp_path / "run.html").path).sections
    motion.save(tmp_path / "run.zarr")
    assert "Certificate" in read(vc.load(tmp_path / "run.zarr").plot.report(tmp_path / "stored.html").path).sections


def test_a_run_that_ended_early_is_reported_as_far_as_it_came(tmp_path):
    system = vc.System("pole", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Potential("pull", ["p"], lambda p: -1.0 / vc.math.sqrt(p.position[2])))
    with pytest.raises(RunError) as stopped:
        vc.simulate(system, 5.0, {"p": (0, 0, 1.0)}, progress=False)
    assert "Certificate" in read(stopped.value.motion.plot.report(tmp_path / "run.html").path).sections


def test_energy_that_is_constant_to_round_off_is_drawn_as_constant():
    from vinculum.show.plots.panels import Panel, curves

    record = pendulum().record
    steady = 5.0 + 1e-15 * np.sin(1e3 * record.time)[:, None]
    varied = 5.0 + 1e-6 * np.sin(record.time)[:, None]
    low, high = curves(record, [Panel("energy", ["E"], steady)], "time").axes[0].get_ylim()
    assert high - low > 1.0
    low, high = curves(record, [Panel("energy", ["E"], varied)], "time").axes[0].get_ylim()
    assert high - low < 1e-5
