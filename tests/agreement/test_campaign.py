"""Random small scenes with contact: every engine finishes them, agrees with the others to the order of the step, and is certified."""

import pytest

from campaign import ENGINES, FINER, STEP, outcome, wrong
from marks import needs_heyoka
from scenes import KINDS

SCENES = 40


@needs_heyoka
@pytest.mark.parametrize("seed", range(SCENES))
def test_engines_finish_a_scene_agree_and_certify_nothing_wrong(seed):
    found = {name: outcome(seed, name) for name in ENGINES}
    assert {name: one.said for name, one in found.items() if one.state != "finished"} == {}
    assert wrong(found, lambda: outcome(seed, "moreau", step=STEP / FINER)) == []


def test_a_campaign_of_consecutive_seeds_has_every_kind_of_scene():
    assert len(KINDS) <= SCENES
