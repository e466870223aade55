"""States of an operator: by expansions that are refined until two agree, and by finite elements."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import RunError, StartError
from vinculum.geometry.quantum.bases import bases_of, first_sizes
from vinculum.geometry.quantum.finite_elements import ElementForm, element_form
from vinculum.geometry.quantum.states import Functions, States
from vinculum.geometry.quantum.weak_form import TensorForm
from vinculum.tolerances.quantum import ELEMENTS_ALONG, FINER, RITZ, TAIL
from vinculum.tolerances.sizes import MOST_DENSE_UNKNOWNS, MOST_SPARSE_UNKNOWNS


@final
@dataclass(frozen=True, eq=False)
class TensorFunctions(Functions):
    """Products of functions of each coordinate."""

    form: TensorForm

    @property
    def unknowns(self) -> int:
        return self.form.unknowns

    def values(self, q, c):
        return self.form.functions(q) @ c


def tensor_form(operator: Any, sizes: Sequence[int]) -> TensorForm:
    """The weak form of an operator in an expansion of these sizes; one that is too large is refused."""
    form = TensorForm(tuple(bases_of(operator.spans, tuple(sizes))), operator.coefficients)
    if form.unknowns > MOST_DENSE_UNKNOWNS:
        raise RunError(
            f"{operator.where}: an expansion with {form.unknowns} functions is beyond {MOST_DENSE_UNKNOWNS}; ask for fewer states or a "
            "larger tolerance, or use method='finite elements'"
        )
    return form


def dense_problem(operator: Any, form: TensorForm) -> tuple[np.ndarray, np.ndarray]:
    """H and M (N, N) of H c = E M c."""
    S, M, U = form.matrices()
    return operator.hbar**2 / (2.0 * operator.mass) * S + U, M


def finer_sizes(form: TensorForm, sizes: Sequence[int], c: np.ndarray) -> tuple[int, ...]:
    """The sizes of the next expansion: larger for the coordinates in which combinations c (N, k) have most of their fastest functions."""
    shares = (np.abs(c) ** 2 / (np.abs(c) ** 2).sum(axis=0)).reshape(*(basis.size for basis in form.bases), -1)
    tails = []
    for axis, basis in enumerate(form.bases):
        fast = basis.degrees * FINER > basis.degrees.max()
        tails.append(float(np.compress(fast, shares, axis=axis).sum(axis=tuple(range(len(form.bases)))).max()))
    found = list(sizes)
    for basis, tail in zip(form.bases, tails, strict=True):
        if tail >= TAIL * max(tails):
            for k in basis.places:
                found[k] = int(np.ceil(FINER * sizes[k]))
    return tuple(found)


def unknowns_of(operator: Any, sizes: Sequence[int]) -> int:
    """The number of functions of an expansion."""
    return TensorForm(tuple(bases_of(operator.spans, tuple(sizes))), operator.coefficients).unknowns


def spectral_states(operator: Any, count: int, sizes: tuple[int, ...] | None, tolerance: float) -> States:
    """States of an expansion that is refined until levels agree; with given sizes, of that one, compared with a smaller one."""
    from scipy.linalg import eigh

    def solve(sizes: Sequence[int]):
        form = tensor_form(operator, sizes)
        if form.unknowns < count:
            raise StartError(
                f"{operator.where}: {count} states are asked of {form.unknowns} functions; give a larger resolution"
            )
        levels, c = eigh(*dense_problem(operator, form), subset_by_index=[0, count - 1])
        return form, levels, c

    given = sizes is not None
    if sizes is not None:
        smaller = tuple(max(1, int(size / FINER)) for size in sizes)
        _, coarse, _ = solve(sizes if unknowns_of(operator, smaller) < count else smaller)
    else:
        sizes = first_sizes(operator.spans, count)
        form, coarse, c = solve(sizes)
        sizes = finer_sizes(form, sizes, c)
    while True:
        form, levels, c = solve(sizes)
        errors = np.abs(levels - coarse)
        scale = float(np.abs(levels).max()) or 1.0
        if given or errors.max() <= tolerance * scale:
            return States(operator, levels, np.maximum(errors, RITZ * scale), c, TensorFunctions(form))
        larger = finer_sizes(form, sizes, c)
        if unknowns_of(operator, larger) > MOST_DENSE_UNKNOWNS:
            raise RunError(
                f"{operator.where}: with {form.unknowns} functions the levels are known to {errors.max():.1e} only, and "
                f"{tolerance * scale:.1e} was asked for; ask for fewer states or a larger tolerance, or use method='finite elements'"
            )
        coarse, sizes = levels, larger


@final
@dataclass(frozen=True, eq=False)
class ElementFunctions(Functions):
    """Biquadratic finite elements."""

    form: ElementForm

    @property
    def unknowns(self) -> int:
        return self.form.unknowns

    def values(self, q, c):
        return self.form.functions(q) @ c


def finite_element_states(operator: Any, count: int, elements: tuple[int, ...] | None) -> States:
    """States of finite elements, with errors estimated from half as many elements along each coordinate: they fall as h⁴."""
    along: tuple[int, ...] = elements or (ELEMENTS_ALONG,) * operator.chart.n
    form = element_form(operator, along)
    if form.unknowns > MOST_SPARSE_UNKNOWNS:
        raise RunError(
            f"{operator.where}: {form.unknowns} unknowns are beyond {MOST_SPARSE_UNKNOWNS}; give a smaller resolution"
        )
    half = element_form(operator, tuple(max(2, -(-k // 2)) for k in along))
    if half.unknowns <= count + 2:
        raise StartError(
            f"{operator.where}: {count} states are asked of {form.unknowns} unknowns; give a larger resolution"
        )
    levels, c = _sparse_states(operator, form, count)
    coarse, _ = _sparse_states(operator, half, count)
    scale = float(np.abs(levels).max()) or 1.0
    errors = np.maximum(np.abs(levels - coarse) / 15.0, RITZ * scale)  # of order h⁴: halving leaves a sixteenth
    return States(operator, levels, errors, c, ElementFunctions(form))


def sparse_problem(operator: Any, form: ElementForm) -> tuple[Any, Any]:
    """H and M of H c = E M c, sparse."""
    S, M, U = form.matrices()
    return operator.hbar**2 / (2.0 * operator.mass) * S + U, M


def _sparse_states(operator: Any, form: ElementForm, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest states by Lanczos' method on the inverse, shifted below all levels."""
    from scipy.sparse.linalg import LinearOperator, eigsh, splu

    H, M = sparse_problem(operator, form)
    least = float(form.at_nodes.potential.min())
    volume = float(M.sum())
    n = operator.chart.n
    # A level of the size of the first one: the shifted matrix is positive definite and well conditioned.
    shift = least - operator.hbar**2 / (2.0 * operator.mass) * volume ** (-2.0 / n)
    factor = splu(
        (H - shift * M).tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
    )
    inverse = LinearOperator(H.shape, matvec=factor.solve, dtype=float)  # pyright: ignore[reportCallIssue] made by __new__
    start = np.random.default_rng(0).normal(size=H.shape[0])
    levels, c = eigsh(H, count, M, sigma=shift, OPinv=inverse, which="LM", v0=start)
    order = np.argsort(levels)
    return levels[order], c[:, order]
