"""Written-out time stepping of random small systems with closed loops and constraints that hit a floor: nothing is broken."""

import numpy as np
import pytest

import tied_falls
import vinculum as vc
from vinculum.models.model_cache import model_for
from vinculum.models.written_out.type import WrittenOutType

SCENES = [
    *(("tied_points", {}, seed) for seed in range(4)),
    *(("falling_ring", {"impacts": "stepped"}, seed) for seed in range(3)),
    *(("falling_ring", {}, seed) for seed in range(2)),
    *(("sled_and_lift", {}, seed) for seed in range(2)),
]


@pytest.mark.parametrize("name, options, seed", SCENES)
def test_a_fall_of_what_is_tied_together_breaks_no_law(name, options, seed):
    system, start = getattr(tied_falls, name)(np.random.default_rng(seed))
    assert isinstance(model_for(system).type, WrittenOutType)
    motion = vc.simulate(system, 0.15, start, method="moreau", step=1e-3, progress=False, **options)
    assert len(motion.record.atoms) > 0
    broken = [line for line in motion.audit().lines if line.verdict == "broken"]
    assert not broken, "\n".join(
        f"{line.law}: {line.residual:.1e} of {line.tolerance:.1e}, {line.detail}" for line in broken
    )
