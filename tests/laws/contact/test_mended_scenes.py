"""Scenes of the campaign that showed a fault of a class, each kept by its seed."""

import numpy as np
import pytest

import vinculum as vc
from campaign import ENGINES
from marks import needs_heyoka
from scenes import scene

slow_taylor = [pytest.mark.slow, needs_heyoka]
FOUND = [
    pytest.param(
        24110, "taylor", marks=slow_taylor, id="a load that has just vanished, next to forces found by iteration"
    ),
    pytest.param(24110, "dop853", marks=pytest.mark.slow, id="the same by dop853"),
    pytest.param(24177, "dop853", marks=pytest.mark.slow, id="a phase of a few units of the clock"),
    pytest.param(23021, "dop853", marks=pytest.mark.slow, id="a block that rides on one of the same roughness"),
    pytest.param(23030, "dop853", marks=pytest.mark.slow, id="slips that begin are stiff"),
    pytest.param(22103, "dop853", id="slips that begin are stiff, once more"),
    pytest.param(24214, "dop853", marks=pytest.mark.slow, id="two feet that let go of a shared load at once"),
    pytest.param(
        25215, "dop853", marks=pytest.mark.slow, id="a hit that was missed by less than a tenth of a nanometer"
    ),
    pytest.param(25317, "moreau", marks=pytest.mark.slow, id="a block at rest: energies below those of single steps"),
    pytest.param(29325, "dop853", id="a slip that begins at an instant with more round-off than its limit has"),
    pytest.param(29325, "taylor", marks=slow_taylor, id="the same by Taylor series"),
    pytest.param(
        29321, "dop853", marks=pytest.mark.slow, id="least slips after a hand-over are those of the whole motion"
    ),
    pytest.param(
        31041, "moreau", marks=pytest.mark.slow, id="a gap with a sequential law that closes in a step beside another"
    ),
    pytest.param(32070, "moreau", marks=pytest.mark.slow, id="compression shared in more than one way"),
    pytest.param(32062, "taylor", marks=slow_taylor, id="a singular position passed while forces change fast"),
    pytest.param(29379, "dop853", marks=pytest.mark.slow, id="a slow slip turns around where links lie nearly in line"),
    pytest.param(29352, "dop853", marks=pytest.mark.slow, id="gaps of links that lie on a floor"),
    pytest.param(
        41300, "dop853", marks=pytest.mark.slow, id="a gap that is hit right after another impact was open there"
    ),
    pytest.param(22175, "taylor", marks=slow_taylor, id="rounded velocities of joints add up"),
]


def run(seed: int, engine: str) -> vc.Motion:
    one = scene(seed)
    return vc.simulate(one.system, one.until, one.start, method=engine, progress=False, grid=41, **ENGINES[engine])


@pytest.mark.parametrize("seed, engine", FOUND)
def test_a_scene_is_certified(seed, engine):
    certificate = run(seed, engine).audit()
    assert certificate.verdict == "passed", str(certificate)


def test_hits_without_an_approach_are_no_sequence_that_accumulates():
    """Balls that touch exchange impulses of round-off between two impacts, so that intervals seem to shrink; the next impact is elastic."""
    np.testing.assert_allclose(run(25351, "moreau").q, run(25351, "dop853").q, atol=1e-9)


@pytest.mark.slow
@needs_heyoka
@pytest.mark.parametrize("seed", [10130, 23000])
def test_accumulating_impacts_end_alike_in_all_engines(seed):
    exact, stepped = run(seed, "taylor"), run(seed, "moreau")
    np.testing.assert_allclose(stepped.q, exact.q, atol=1e-5)
