"""Numba's look for a BLAS, put off until something is compiled that needs it.

Numba imports SciPy's linear algebra in every process that runs a compiled function, only to see that it is there; that takes longer than
to load the functions of a run. The kernels of this package call no BLAS, so that they also run where SciPy is not installed. Numba looks
again, and checks the width of its integers, when it compiles a function that calls BLAS or LAPACK.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from numba.core.cpu import CPUContext


def put_off() -> None:
    """Let Numba load what it knows about functions without that look."""
    if CPUContext.load_additional_registries is not _load:
        CPUContext.load_additional_registries = _load  # type: ignore[method-assign]


_of_numba = CPUContext.load_additional_registries


def _load(context) -> None:
    with _without_blas_check():
        _of_numba(context)


@contextmanager
def _without_blas_check() -> Iterator[None]:
    from numba.np import linalg

    asked = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        yield
    finally:
        linalg.ensure_blas = asked
