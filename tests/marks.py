"""Marks that tests share."""

import pytest

from vinculum.compile.engines import has_heyoka

needs_heyoka = pytest.mark.skipif(not has_heyoka(), reason="Taylor series need heyoka, which is absent or hidden")


def weak_without_heyoka(reason: str):
    """A test that is known to fail with dop853 in the place of Taylor series, and must say so when that changes."""
    return pytest.mark.xfail(not has_heyoka(), reason=reason, strict=True)


TAYLOR = pytest.param("taylor", marks=needs_heyoka)


def mostly_slow(count: int, quick: int) -> list:
    """Numbers of groups of cases: the first ``quick`` in every run, the others in the long one."""
    return [k if k < quick else pytest.param(k, marks=pytest.mark.slow) for k in range(count)]


AUTO = pytest.param("auto", marks=needs_heyoka)


def as_close_as(series: float, steps: float) -> float:
    """A tolerance for motions by Taylor series, or by dop853, whose errors are those of its steps, where heyoka is hidden."""
    return series if has_heyoka() else steps
