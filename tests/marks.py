"""Marks that tests share."""

import pytest

from vinculum.kernels.engines import has_heyoka

needs_heyoka = pytest.mark.skipif(not has_heyoka(), reason="Taylor series need heyoka, which is absent or hidden")
TAYLOR = pytest.param("taylor", marks=needs_heyoka)
AUTO = pytest.param("auto", marks=needs_heyoka)
