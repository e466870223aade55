"""What it means that two certificates are the same."""

import numpy as np


def same_certificate(a, b):
    """Two certificates say the same; their sums agree to round-off, since BLAS adds in an order that depends on memory."""
    assert (a.system, a.motion, a.verdict, a.remedy) == (b.system, b.motion, b.verdict, b.remedy)
    assert len(a.lines) == len(b.lines)
    for one, other in zip(a.lines, b.lines, strict=True):
        assert (one.law, one.verdict, one.reason, one.detail) == (other.law, other.verdict, other.reason, other.detail)
        np.testing.assert_allclose(one.residual, other.residual, rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose([one.tolerance, one.doubt], [other.tolerance, other.doubt], rtol=1e-9)
