"""Whatever a stored run holds, it loads as what was saved or is refused: nothing unchecked reaches compiled code."""

import copy
import gzip
import json
import os
import shutil
import time as clock
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import vinculum as vc
from records import altered
from stores import RUNS, content_of, stored, write_content, write_head


@pytest.fixture(scope="module")
def originals(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("stores")


@pytest.fixture
def run_of(originals, tmp_path):
    def copied(name: str) -> Path:
        place = tmp_path / f"{name}.zarr"
        shutil.copytree(stored(name, originals), place)
        return place

    return copied


@pytest.fixture(scope="module")
def motions():
    """Motions by the names of their runs, each computed once."""
    return cache(lambda name: RUNS[name]())


def refused(run: Path, *words: str) -> None:
    with pytest.raises(vc.errors.FileError) as caught:
        list(vc.load(run).record.pieces.blocks())
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("name", RUNS)
def test_every_kind_of_run_loads_as_it_was_saved(run_of, name):
    loaded = vc.load(run_of(name))
    assert loaded.audit().to_dict() == RUNS[name]().audit().to_dict() or loaded.audit().passed


ARRAYS = ("grid", "times", "coefficients", "crossings")


@pytest.mark.parametrize("other", ARRAYS)
@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_is_never_read_by_the_description_of_another(run_of, name, other):
    run = run_of("swing")
    if name == other:
        return
    shutil.copy(run / other / "zarr.json", run / name / "zarr.json")
    refused(run, name)


@pytest.mark.parametrize("change", [{"shape": [37]}, {"shape": [200]}, {"shape": [101, 1]}, {"shape": [10**15]}, {"shape": [True]},
                                    {"data_type": "float32"}, {"data_type": "int64"}])  # fmt: skip
def test_an_array_has_the_rows_that_were_saved(run_of, change):
    run = run_of("swing")
    path = run / "grid" / "zarr.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | change))
    refused(run, "grid")


def test_a_chunk_of_another_array_is_not_taken_for_its_own(run_of):
    run = run_of("swing")
    shutil.copy(run / "times" / "c.0", run / "grid" / "c.0")
    refused(run, "grid/c.0", "checksum")


@pytest.mark.parametrize("changes", [{"steps": 5}, {"grid": 50}, {"parameters": {"m": 2.0}}, {"log": ["all is well"]},
                                     {"method": {"name": "dop853", "tolerance": 0.1, "step": None}}])  # fmt: skip
def test_a_head_that_was_changed_breaks_its_seal(run_of, changes):
    run = run_of("swing")
    head = json.loads((run / "zarr.json").read_bytes())
    head["attributes"] |= changes
    (run / "zarr.json").write_text(json.dumps(head))
    refused(run, "does not say what was written")


def with_contact_numbers(motion, column: int, value: float):
    """A motion whose first recorded contact names another instant or shape."""
    record = motion.record
    kept = record.atoms.meetings if record.contact_solver is None else record.contact_solver.pressing
    rows = np.array(kept.rows)
    rows[0, column] = value
    if record.contact_solver is None:
        return altered(motion, atoms=replace(record.atoms, meetings=replace(kept, rows=rows)))
    return altered(motion, contact_solver=replace(record.contact_solver, pressing=replace(kept, rows=rows)))


@pytest.mark.parametrize("value", [-1.0, 10.0**6, 0.5])
@pytest.mark.parametrize("column", [0, 1, 2])
@pytest.mark.parametrize("name", ["heap", "blocks"])
def test_contacts_name_instants_and_shapes_that_exist(tmp_path, motions, name, column, value):
    """Rows with other numbers than those of the run, and checksums that belong to them."""
    with_contact_numbers(motions(name), column, value).save(tmp_path / "run.zarr")
    refused(tmp_path / "run.zarr", "do not fit the stored model")


def changed(content, path, value):
    """A copy of nested lists and dictionaries with another value at a path."""
    content = copy.deepcopy(content)
    place = content
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    return content


@pytest.mark.parametrize(("name", "path", "value"), [
    ("heap", ("free_bodies", "kinds", 0), 5),
    ("heap", ("free_bodies", "kinds", 0), 99),
    ("heap", ("free_bodies", "kinds", 0), -1),
    ("heap", ("free_bodies", "kinds", 0), 3),
    ("heap", ("free_bodies", "kinds", 0), 2**70),
    ("heap", ("free_bodies", "sizes", 2, 0), 7.0),
    ("heap", ("free_bodies", "sizes", 2, 0), 2.5),
    ("heap", ("free_bodies", "sizes", 0, 0), -0.05),
    ("heap", ("free_bodies", "reaches", 0), 1e-9),
    ("heap", ("free_bodies", "reaches", 0), float("nan")),
    ("heap", ("free_bodies", "masses", 0), 0.0),
    ("heap", ("free_bodies", "masses", 0), 10**400),
    ("heap", ("free_bodies", "inertias", 0, 0, 0), -1.0),
    ("heap", ("free_bodies", "turns", 0, 0, 0), 3.0),
    ("heap", ("free_bodies", "e"), 5.0),
    ("heap", ("free_bodies", "mu"), float("inf")),
    ("heap", ("free_bodies", "pool", "polytopes"), []),
    ("heap", ("free_bodies", "pool", "polytopes", 0, 1, 0, 0), 99),
    ("heap", ("free_bodies", "pool", "polytopes", 0, 1, 0, 0), -3),
    ("heap", ("free_bodies", "pool", "polytopes", 0, 1, 0), []),
    ("heap", ("free_bodies", "pool", "polytopes", 0, 0, 0, 0), float("nan")),
    ("heap", ("layout", "bodies", "b0", "index"), 10**9),
    ("shaped_tree", ("shapes", "kinds", 0), 6),
    ("shaped_tree", ("shapes", "pairs", 0, 1), 40),
    ("shaped_tree", ("shapes", "pairs", 0, 1), -2),
    ("shaped_tree", ("shapes", "laws", 0, 0), 7.0),
    ("shaped_tree", ("shapes", "carried", 0), [True]),
    ("shaped_tree", ("layout", "shapes"), []),
    ("swing", ("layout", "groups"), [10**9]),
    ("swing", ("layout", "groups", 0), 10**9),
    ("swing", ("layout", "groups", 0), 10**30),
    ("swing", ("layout", "joints", "j", "q"), [0, 4000]),
    ("swing", ("layout", "joints", "j", "child"), "nobody"),
    ("swing", ("layout", "q_units"), ["m"]),
    ("swing", ("layout", "quaternions"), [[0, 900]]),
    ("swing", ("layout", "parameters", "m"), "x"),
    ("swing", ("layout", "gaps"), None),
    ("swing", ("layout",), 3),
    ("swing", ("tapes", "motion", "results", 0), 10**6),
    ("swing", ("tapes", "motion", "results", 0), -1),
    ("swing", ("tapes", "motion", "inputs", 0, 1), 10**9),
    ("swing", ("tapes", "motion", "outputs", 0, 0), "elsewhere"),
    ("swing", ("tapes", "balance", "outputs", 0, 0), "cinetic"),
    ("swing", ("tapes", "bodies", "outputs", 0, 0), "b/position"),
    ("lagrangian", ("layout", "lagrangian", "order"), -1),
    ("lagrangian", ("tapes", "motion", "outputs", 0, 0), "rates"),
    ("blocks", ("block_shapes", "kinds", 0), 9),
    ("blocks", ("block_shapes", "bodies", 0), 10**6),
    ("blocks", ("block_shapes", "parents", 0), 10**6),
    ("blocks", ("block_shapes", "groups", 0), -1),
    ("blocks", ("block_shapes", "laws_of", 0, 0), 40),
    ("blocks", ("block_shapes", "offsets", 0, 0), float("nan")),
    ("blocks", ("block_shapes", "tilts", 0, 0, 0), 3.0),
    ("blocks", ("block_shapes", "gravity", 2), float("inf")),
    ("rods", ("tables", "kinds", 0, "q", 0, 0), 10**6),
    ("rods", ("tables", "conditions", 0, "ends", 0, 0), 10**6),
    ("rods", ("tables", "conditions", 0, "first", 0), -1),
    ("rods", ("tables", "conditions", 0, "count"), 3),
    ("rods", ("tables", "conditions", 0, "level"), 2),
    ("rods", ("tables", "left_out"), [10**6]),
])  # fmt: skip
def test_a_model_that_names_what_is_not_there_is_refused(run_of, name, path, value):
    run = run_of(name)
    write_content(run, changed(content_of(run), path, value))
    refused(run)


@pytest.mark.parametrize("changes", [{"steps": 10**400}, {"steps": 1e400}, {"grid": 10**12}, {"rows": {"grid": [10**9]}}, {"checks": {}},
                                     {"parameters": {"m": 10**400}}, {"events": [[]]}, {"log": 3}])  # fmt: skip
def test_a_head_with_absurd_numbers_is_refused_though_its_seal_fits(run_of, changes):
    run = run_of("swing")
    write_head(run, **changes)
    refused(run)


def test_content_that_grows_beyond_what_it_says_is_refused_before_it_does(run_of):
    run = run_of("swing")
    (run / "model" / "c.0").write_bytes(gzip.compress(b"0" * 10**8))
    refused(run, "does not contain")
    path = run / "model" / "zarr.json"
    description = json.loads(path.read_bytes())
    description["shape"] = description["chunk_grid"]["configuration"]["chunk_shape"] = [10**12]
    path.write_text(json.dumps(description))
    refused(run, "more than")


@pytest.mark.skipif(os.name != "posix", reason="links and pipes are a matter of POSIX")
@pytest.mark.parametrize("path", ["zarr.json", "grid/zarr.json", "grid/c.0", "model/c.0", "times/c.0"])
@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_only_plain_files_of_the_store_are_opened(run_of, tmp_path, path, what):
    run = run_of("swing")
    (run / path).rename(tmp_path / "elsewhere")
    if what == "link":
        (run / path).symlink_to(tmp_path / "elsewhere")
    elif what == "pipe":
        os.mkfifo(run / path)
    else:
        (run / path).mkdir()
    begun = clock.monotonic()
    refused(run)
    assert clock.monotonic() - begun < 30


@pytest.mark.skipif(os.name != "posix", reason="links are a matter of POSIX")
def test_a_folder_of_the_store_that_is_a_link_is_refused(run_of, tmp_path):
    run = run_of("swing")
    (run / "grid").rename(tmp_path / "grid")
    (run / "grid").symlink_to(tmp_path / "grid")
    refused(run, "not a plain folder")
    again = tmp_path / "link.zarr"
    (run / "grid").unlink()
    (tmp_path / "grid").rename(run / "grid")
    again.symlink_to(run)
    assert len(vc.load(again).time) == 101
