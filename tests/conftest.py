"""Slow tests, and most of long groups of alike cases, are left out of `make test` and are in `make test-all`."""

import signal
import threading
from collections import Counter
from pathlib import Path

import pytest

FEW = 4
STAYS = {
    "test_latex.py": 5,
    "test_formulas.py": 4,
    "test_solvers_of_free_bodies.py": 4,
    "test_closed_loops.py": 8,
    "test_invariance.py": 4,
    "test_storage.py": 4,
    **dict.fromkeys(("test_actions.py", "test_charts.py", "test_forms_of_equations.py", "test_ready_potentials.py",
                     "test_telegin.py"), 4),
    **dict.fromkeys(("test_certificate_offsets.py", "test_certificates.py", "test_constraints.py", "test_first_integrals.py",
                     "test_geometry.py", "test_impulses.py", "test_inverse_dynamics.py", "test_joint_efforts.py",
                     "test_prescribed_bodies.py", "test_random_trees.py", "test_ready_constraints.py",
                     "test_ready_constraints_of_model_files.py", "test_servos.py", "test_small_motions.py", "test_step_memory.py",
                     "test_watched_conditions.py", "test_certificates_of_free_bodies.py", "test_charts_of_a_motion.py",
                     "test_coarse_steps.py",
                     "test_constraints_of_model_files.py", "test_contact_distances.py", "test_light_bodies.py", "test_loop_events.py",
                     "test_loop_reactions.py", "test_painleve.py", "test_rest_in_time_stepping.py", "test_scales_that_vanish.py",
                     "test_shared_friction.py", "test_singular_sets.py", "test_truncated_gravitation.py",
                     "test_variational_constraints.py", "test_weak_form.py"), 3),
}  # fmt: skip
"""Of how many cases of a test with at least `FEW` of them one is in every run."""


LIST = Path(__file__).with_name("slow_tests.txt")
SLOW = frozenset(LIST.read_text().splitlines() if LIST.exists() else ())
"""Tests that took long when `make slow-tests` measured them."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid in SLOW:
            item.add_marker(pytest.mark.slow)
    cases = [item for item in items if hasattr(item, "callspec")]
    all_of, met = Counter(item.function for item in cases), Counter()
    for item in cases:
        if all_of[item.function] >= FEW and met[item.function] % STAYS.get(item.path.name, 1):
            item.add_marker(pytest.mark.slow)
        met[item.function] += 1


@pytest.fixture(autouse=True)
def ctrl_c():
    """Ctrl-C reaches every test and its children, also where the suite is a background job, which ignores it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, earlier)
