"""Of long groups of alike cases some are in every run, and all in `make test-all`."""

import pytest

STAYS = {"test_latex.py": 5, "test_formulas.py": 4, "test_forms_of_equations.py": 3, "test_actions.py": 3, "test_telegin.py": 3,
         "test_pile_solvers.py": 4, "test_charts.py": 3}  # fmt: skip
"""Of how many cases of a parametrized test one is in every run."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    met = {}
    for item in items:
        every = STAYS.get(item.path.name, 1)
        if every > 1 and hasattr(item, "callspec"):
            number = met[item.function] = met.get(item.function, -1) + 1
            if number % every:
                item.add_marker(pytest.mark.slow)
