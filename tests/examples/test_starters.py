"""What `vinculum new` and `vinculum examples` write runs, and nothing is overwritten."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from vinculum.cli.app import COMMANDS, app
from vinculum.cli.examples import PLACES
from vinculum.cli.new import STARTERS

KINDS = sorted(path.stem for path in STARTERS.glob("*.toml"))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_every_kind_is_offered():
    assert KINDS == ["contact", "lagrangian", "mechanism"]
    assert all(kind in call("new", "--help").output for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_model_is_certified(here, kind):
    done = call("new", "mine.toml", "--kind", kind)
    assert done.exit_code == 0 and "vinculum run mine.toml" in done.stdout
    assert "FILE" not in (here / "mine.toml").read_text()
    ran = call("run", "mine.toml", "--json")
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout)["certificate"]["passed"]


def test_an_example_is_copied_as_it_is(here):
    source = next(place for place in PLACES if place.is_dir())
    assert sorted(json.loads(call("examples", "--json").stdout)["examples"]) == sorted(
        path.name for path in source.iterdir() if path.suffix in (".py", ".toml")
    )
    assert call("examples", "four_bar.toml", "--out", "mine.toml", "--quiet").output == ""
    assert (here / "mine.toml").read_text() == (source / "four_bar.toml").read_text()


@pytest.mark.parametrize("words", [("new", "mine.toml"), ("examples", "four_bar.toml", "--out", "mine.toml")])
def test_a_file_that_exists_is_not_changed(here, words):
    (here / "mine.toml").write_text("precious")
    done = call(*words)
    assert done.exit_code == 2 and "not changed" in done.stderr
    assert (here / "mine.toml").read_text() == "precious"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "mine.txt"), ".toml"),
        (("new", "absent/mine.toml"), "not a folder"),
        (("new", "mine.toml", "--kind", "mechanisn"), "did you mean 'mechanism'"),
        (("examples", "four_bra.toml"), "did you mean 'four_bar.toml'"),
        (("examples", "four_bar.toml", "--out", "x.py"), ".toml"),
    ],
)
def test_wrong_words_are_refused_in_one_sentence(here, words, said):
    done = call(*words)
    assert done.exit_code == 2 and said in done.stderr
    assert json.loads(call(*words, "--json").stdout)["error"]["exit_code"] == 2
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_the_help_of_a_command_has_an_example(command):
    assert "Example: vinculum" in call(command.__name__, "--help").output
    assert COMMANDS[command].startswith(f"vinculum {command.__name__} ")


def test_no_help_has_brackets_that_a_terminal_takes_for_markup():
    """Of "an instant [s]" the unit would be lost, as [s] is struck-out text."""
    known: Any = typer.main.get_command(app)
    texts = [text for one in known.commands.values() for text in (one.help, one.epilog, *(p.help for p in one.params))]
    assert len(texts) > 50 and [text for text in texts if "[" in (text or "")] == []


def test_quiet_commands_print_nothing():
    call("new", "mine.toml", "--quiet")
    call("run", "mine.toml", "--until", "1", "--out", "run.zarr", "--quiet")
    for words in (
        ("audit", "run.zarr"),
        ("plot", "run.zarr"),
        ("view", "run.zarr", "--no-browser"),
        ("report", "run.zarr"),
    ):
        done = call(*words, "--quiet")
        assert done.exit_code == 0 and done.output == ""


@pytest.mark.parametrize(
    ("words", "last", "wanted"),
    [
        ("vinculum ru", 1, {"run"}),
        ("vinculum examples four", 2, {"four_bar.toml"}),
        ("vinculum new mine.toml --kind con", 4, {"contact"}),
    ],
)
def test_a_shell_completes_commands_and_names(words, last, wanted):
    """What a shell asks of the program when Tab is pressed."""
    asked = {"_VINCULUM_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(last)}
    code = "from vinculum.cli import main; import sys; sys.argv = ['vinculum']; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | asked, capture_output=True, text=True, timeout=300
    )
    assert wanted <= set(done.stdout.split()), done
