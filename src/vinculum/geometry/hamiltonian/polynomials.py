"""First integrals that are polynomials in given functions, found by linear algebra on brackets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, final

import numpy as np

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.derivations.printing.letters import letter
from vinculum.equations.sampling.null_spaces import independent_columns, null_space, tidy_basis
from vinculum.errors import MethodError, ModelError, StartError, shorten
from vinculum.geometry.chart import parameter_values
from vinculum.geometry.hamiltonian.functions import PhaseFunction, function_of, state_rows
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.geometry.hamiltonian.walls import check_unbounded
from vinculum.scalars import depends_on
from vinculum.scalars.formulas import exact
from vinculum.systems import System
from vinculum.tolerances.constraints import CONSTRAINT_MET
from vinculum.tolerances.iterations import SAMPLE_NEWTON_STEPS
from vinculum.tolerances.rank import CLEAN, DEPENDENT_ROWS, LEFT_OUT_OF_STEPS
from vinculum.tolerances.samples import FAR_FROM_MEDIAN, METRIC_BOX
from vinculum.tolerances.sizes import MOST_UNKNOWNS_OF_FIELDS, SMALL_DENOMINATOR


@final
@dataclass(frozen=True, eq=False)
class PolynomialIntegrals:
    """``integrals``: first integrals as functions on the phase space, which with ``known`` ones span all polynomials of the degree that
    commute with H; ``independent``: how many of them are functionally independent of the known ones and of each other."""

    integrals: tuple[PhaseFunction, ...]
    polynomials: tuple[Any, ...]
    """The same as SymPy polynomials in the names of the functions."""
    known: int
    independent: int

    def __len__(self) -> int:
        return len(self.integrals)

    def __iter__(self):
        return iter(self.integrals)

    def __getitem__(self, k: int) -> PhaseFunction:
        return self.integrals[k]

    def __repr__(self):
        return (
            f"PolynomialIntegrals({len(self)} beside {self.known} known, {self.independent} functionally independent)"
        )

    def latex(self) -> str:
        """The integrals in LaTeX, one on each line."""
        import sympy

        lines = []
        for k, one in enumerate(self.polynomials):
            names = {x: letter(x.name).latex for x in one.free_symbols}
            lines.append(f"F_{{{k + 1}}} = {sympy.latex(one, symbol_names=names)}")
        return "\n".join(lines)


def polynomial_integrals(
    hamiltonian: Hamiltonian | LagrangianSystem | System,
    degree: int,
    *,
    functions: Callable | PhaseFunction | None = None,
    names: Sequence[str] | None = None,
    known: Sequence[Callable | PhaseFunction] = (),
    at=None,
    parameters: Mapping[str, float] | None = None,
) -> PolynomialIntegrals:
    r"""Polynomials F of a degree in functions z of the state that commute with H, other than those that known integrals make.

    .. math:: F = \sum_\alpha c_\alpha\,z^\alpha,\qquad \{F, H\} = \sum_\alpha c_\alpha\,\{z^\alpha, H\} = 0

    ``hamiltonian``: a Hamiltonian, or a system that has one, whose energy is then known. With constraints brackets are Dirac's, and
    states keep the constraints. ``functions``: a function that returns the z (k,), which are the coordinates and momenta by default;
    ``names``: their names in formulas. ``known``: first integrals, whose products are taken out, as `H.energy` and momenta; each must be a
    polynomial in z or it takes nothing out. The equations for c are collected at random states, or at states ``at`` = (q, p), (K, n) each.
    Monomials that depend on each other are left out.
    """
    chosen = _hamiltonian_of(hamiltonian)
    space = chosen.space
    check_unbounded(space, "a bracket with H")
    if chosen is not hamiltonian and isinstance(known, Sequence):
        known = [chosen.energy, *known]
    if depends_on(np.append(space.rates, 0.0), [space.t]):
        raise MethodError(f"{space.where} depends on time, and brackets with H alone do not give its first integrals")
    z = PhaseFunction(space, ("z",), space.x) if functions is None else function_of(space, "z", functions)
    graphs = np.asarray(space.explicit(z.graphs), dtype=object).ravel()
    names = _names(space, graphs, functions, names)
    powers = _powers(space, len(graphs), degree)
    values = parameter_values(space.where, space.parameters, parameters)
    rows = _on_constraints(space, _rows(space, at, 4 * len(powers) + 20, values), at is not None)
    rates = space.derivatives(graphs) @ space.rates
    traced = PhaseFunction(space, ("z",), np.concatenate([graphs, rates]))
    found = traced.at_rows(rows)
    rows, found = rows[np.isfinite(found).all(axis=1)], found[np.isfinite(found).all(axis=1)]
    if len(found) < len(powers):
        raise MethodError(f"{space.where}: the functions are finite at {len(found)} states only; give states in at=")
    Z, Z_dot = found[:, : len(graphs)], found[:, len(graphs) :]
    scale = np.maximum(np.median(np.abs(Z), axis=0), np.finfo(float).tiny)
    usual = np.abs(Z / scale).max(axis=1) <= FAR_FROM_MEDIAN
    if usual.sum() >= 2 * len(powers):
        rows, Z, Z_dot = rows[usual], Z[usual], Z_dot[usual]
    V, D = _monomials(Z / scale, Z_dot / scale, powers)
    kept = independent_columns(V)
    D = D[:, kept] / np.maximum(np.abs(D[:, kept]).max(axis=1, keepdims=True), np.finfo(float).tiny)
    basis = null_space(D)
    spanned = _span_of_known(space, known, degree, rows, V[:, kept])
    fresh = _less(basis, spanned)
    unit = np.array([np.prod(scale ** np.array(powers[k])) for k in kept])
    tidy = _reduce(fresh / unit, spanned / unit) if len(fresh) else fresh
    made, written = [], []
    for c in tidy:
        terms = [(x, powers[k]) for x, k in zip(c, kept, strict=True) if x != 0.0 and any(powers[k])]
        graph = sum((x * _product(graphs, power) for x, power in terms), 0.0)
        written.append(_formula(names, terms))
        made.append(PhaseFunction(space, (rf"F_{{{len(made) + 1}}}",), np.array(graph, dtype=object)))
    kept_functions = [function_of(space, "known", one) for one in known]
    return PolynomialIntegrals(
        tuple(made), tuple(written), len(basis) - len(fresh), _independence(space, kept_functions, made, rows)
    )


def _hamiltonian_of(given: Any) -> Hamiltonian:
    if isinstance(given, Hamiltonian):
        return given
    try:
        return Hamiltonian.of(given)
    except StartError as error:
        raise ModelError(
            f"the Hamiltonian is {shorten(given)}; give a vc.hamiltonian.Hamiltonian, or a system that has one: {error}"
        ) from error


def _on_constraints(space: PhaseSpace, rows: np.ndarray, given: bool) -> np.ndarray:
    """Random states moved onto the constraints, those that do not get there left out; given ones must be there."""
    if not len(space.constraints):
        return rows
    c, n = len(space.constraints), space.n
    traced = PhaseFunction(space, ("chi",), np.concatenate([space.constraints, space.constraint_jacobian.ravel()]))
    rows = rows.copy()
    for _ in range(0 if given else SAMPLE_NEWTON_STEPS):
        found = np.nan_to_num(traced.at_rows(rows), posinf=0.0, neginf=0.0)
        inverse = np.linalg.pinv(found[:, c:].reshape(-1, c, 2 * n), rcond=LEFT_OUT_OF_STEPS)
        rows[:, : 2 * n] -= np.einsum("bnm,bm->bn", inverse, found[:, :c])
    left = np.abs(traced.at_rows(rows)[:, :c])
    met = np.all(left <= CONSTRAINT_MET * np.maximum(1.0, np.abs(rows[:, : 2 * n]).max(axis=1, keepdims=True)), axis=1)
    if given and not met.all():
        k = int(np.argmax(left[int(np.argmin(met))]))
        raise StartError(
            f"{space.where}: state {int(np.argmin(met))} of at= breaks the constraint '{space.constraint_names[k]}'; give others"
        )
    return rows[met]


def _names(space: PhaseSpace, graphs: np.ndarray, functions, names) -> tuple[str, ...]:
    if names is None:
        return (
            (*space.coordinates, *space.momenta)
            if functions is None
            else tuple(f"z_{k + 1}" for k in range(len(graphs)))
        )
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != len(graphs):
        raise ModelError(f"{space.where}: names is {shorten(names)}; give {len(graphs)} of them, one for each function")
    return tuple(map(str, names))


def _powers(space: PhaseSpace, count: int, degree: Any) -> list[tuple[int, ...]]:
    if not isinstance(degree, (int, np.integer)) or isinstance(degree, bool) or degree < 1:
        raise StartError(f"{space.where}: degree {shorten(degree)} of polynomials; give a whole number such as 2")
    found = []
    for order in range(int(degree) + 1):
        for factors in combinations_with_replacement(range(count), order):
            found.append(tuple(np.bincount(factors, minlength=count)) if order else (0,) * count)
            if len(found) > MOST_UNKNOWNS_OF_FIELDS:
                raise MethodError(
                    f"{space.where}: polynomials of degree {degree} in {count} functions have more than {MOST_UNKNOWNS_OF_FIELDS} "
                    "coefficients; take a lower degree or fewer functions"
                )
    return found


def _rows(space: PhaseSpace, at, count: int, values: Mapping[str, float]) -> np.ndarray:
    if at is None:
        draw = np.random.default_rng(9).uniform(-METRIC_BOX, METRIC_BOX, (2 * count, 2 * space.n))
        states = np.concatenate([draw, np.zeros((len(draw), 1))], axis=1)
    else:
        if not isinstance(at, (tuple, list)) or len(at) != 2:
            raise StartError(f"{space.where}: at is {shorten(at)}; give a pair (q, p) of states, (K, {space.n}) each")
        states = state_rows(space, at[0], at[1], 0.0)[1]
    own = [values[name] for name in sorted(values)]
    return np.concatenate([states, np.broadcast_to(own, (len(states), len(own)))], axis=1)


def _monomials(Z: np.ndarray, Z_dot: np.ndarray, powers: list[tuple[int, ...]]) -> tuple[np.ndarray, np.ndarray]:
    """Values (K, a) of all monomials and of their rates along the motion."""
    V, D = np.ones((len(Z), len(powers))), np.zeros((len(Z), len(powers)))
    for a, power in enumerate(powers):
        V[:, a] = np.prod(Z ** np.array(power), axis=1)
        for i, e in enumerate(power):
            if e:
                lowered = np.array(power) - np.eye(len(power), dtype=int)[i]
                D[:, a] += e * np.prod(Z**lowered, axis=1) * Z_dot[:, i]
    return V, D


def _span_of_known(space: PhaseSpace, known, degree: int, rows: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Coefficients (k, a) of the products of known integrals that are polynomials of the degree, and of the constant."""
    if isinstance(known, (str, PhaseFunction)) or not isinstance(known, Sequence):
        raise ModelError(f"{space.where}: known is {shorten(known)}; give a list of functions")
    columns = [function_of(space, "known", one).at_rows(rows) for one in known]
    values = np.column_stack([np.ones((len(rows), 0)), *columns]) if columns else np.ones((len(rows), 0))
    products = [np.ones(len(rows))]
    for order in range(1, int(degree) + 1):
        products += [
            np.prod(values[:, list(k)], axis=1) for k in combinations_with_replacement(range(values.shape[1]), order)
        ]
    P = np.column_stack(products)
    P = P / np.linalg.norm(P, axis=0)
    c, *_ = np.linalg.lstsq(V, P, rcond=None)
    good = np.linalg.norm(V @ c - P, axis=0) <= DEPENDENT_ROWS
    return c[:, good].T


def _less(basis: np.ndarray, spanned: np.ndarray) -> np.ndarray:
    """A basis of the part of a space that is orthogonal to given vectors in it."""
    if not len(basis):
        return basis
    inside = spanned @ basis.T
    return null_space(inside / np.maximum(np.linalg.norm(inside, axis=1, keepdims=True), np.finfo(float).tiny)) @ basis


def _reduce(fresh: np.ndarray, spanned: np.ndarray) -> np.ndarray:
    """Readable representatives of rows modulo others: these are brought to echelon form from the highest monomials on, whose columns
    then vanish in the rows."""
    echelon = tidy_basis(spanned[:, ::-1])[:, ::-1]
    for row in echelon:
        pivot = len(row) - 1 - int(np.argmax(row[::-1] != 0.0))
        fresh = fresh - np.outer(fresh[:, pivot], row / row[pivot])
    return np.vectorize(_simplest, otypes=[float])(tidy_basis(fresh))


def _simplest(x: float) -> float:
    """A fraction with a small denominator that is within round-off of x."""
    near = float(Fraction(float(x)).limit_denominator(SMALL_DENOMINATOR))
    return near if abs(near - x) < CLEAN else x


def _product(graphs: np.ndarray, power: tuple[int, ...]) -> Any:
    result: Any = 1.0
    for x, e in zip(graphs, power, strict=True):
        if e:
            result = result * (x if e == 1 else x ** int(e))
    return result


def _formula(names: tuple[str, ...], terms: list[tuple[float, tuple[int, ...]]]) -> Any:
    import sympy

    letters = [sympy.Symbol(name, real=True) for name in names]
    made = sympy.S.Zero
    for x, power in terms:
        factors = [a**e for a, e in zip(letters, map(int, power), strict=True)]
        made += exact(x, sympy) * sympy.Mul(*factors)
    return made


def _independence(space: PhaseSpace, known: list[PhaseFunction], made: list[PhaseFunction], rows: np.ndarray) -> int:
    """How many gradients of the integrals are independent of those of the known ones, at most over states."""
    if not made:
        return 0
    parts = [np.ravel(space.explicit(one.graphs)) for one in (*known, *made)]
    graphs = np.concatenate([space.constraints, *parts])
    count = len(space.constraints) + sum(np.size(one.graphs) for one in known)
    traced = PhaseFunction(space, ("dF",), space.derivatives(graphs))
    found = traced.at_rows(rows[:16]).reshape(-1, len(graphs), 2 * space.n)
    found = found[np.isfinite(found).all(axis=(1, 2))]
    found = found / np.maximum(np.linalg.norm(found, axis=2, keepdims=True), np.finfo(float).tiny)

    def rank(part: np.ndarray) -> np.ndarray:
        return (
            (np.linalg.svd(part, compute_uv=False) > DEPENDENT_ROWS).sum(axis=1)
            if part.shape[1]
            else np.zeros(len(part), dtype=int)
        )

    return int((rank(found) - rank(found[:, :count])).max())
