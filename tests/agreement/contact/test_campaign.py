"""Random small scenes with contact: every engine finishes them, agrees with the others to the order of the step, and is certified."""

import pytest

from campaign import ENGINES, FINER, STEP, outcome, wrong
from marks import needs_heyoka
from scenes import KINDS

SCENES, QUICK = 40, (1, 2, 5, 6, 7)
"""Scenes of all kinds in the long run, and those of them that take seconds, in every run."""
SEEDS = [seed if seed in QUICK else pytest.param(seed, marks=pytest.mark.slow) for seed in range(SCENES)]


@needs_heyoka
@pytest.mark.parametrize("seed", SEEDS)
def test_engines_finish_a_scene_agree_and_certify_nothing_wrong(seed):
    found = {name: outcome(seed, name) for name in ENGINES}
    assert {name: one.said for name, one in found.items() if one.state != "finished"} == {}
    assert wrong(found, lambda: outcome(seed, "moreau", step=STEP / FINER)) == []


def test_a_campaign_of_consecutive_seeds_has_every_kind_of_scene():
    assert len(KINDS) <= SCENES
