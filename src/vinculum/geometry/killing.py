"""Killing fields, and the first integrals of geodesics that they give."""

from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement

import numpy as np

from vinculum.compile.trace import trace
from vinculum.derivations.first_integrals import FirstIntegral
from vinculum.equations.sampling.null_spaces import null_space, tidy_basis
from vinculum.errors import MethodError, ModelError, StartError, shorten
from vinculum.geometry.chart import Chart, TracedNumbers, own_parameters, parameter_values, places_of, sample_places
from vinculum.geometry.fields import UPPER, TensorField, field_of
from vinculum.geometry.metric import Metric
from vinculum.geometry.virtual_power import deformation_graphs
from vinculum.scalars import parameters as parameters_of
from vinculum.scalars import symbol, symbols
from vinculum.scalars.math import abs as absolute
from vinculum.systems.jets import jet_function
from vinculum.tolerances.rank import DEPENDENT_ROWS, NULL_VECTOR
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS, NEXT_TO_ZERO
from vinculum.tolerances.samples import KILLING_SAMPLES
from vinculum.tolerances.sizes import MOST_UNKNOWNS_OF_FIELDS


def first_integral(metric: Metric, vector: Callable | TensorField, *, parameters: Mapping[str, float] | None = None,
                   at=None) -> FirstIntegral:  # fmt: skip
    r"""The momentum along a Killing field, which every geodesic keeps.

    .. math:: I(q, v) = g_{ij}\,\xi^i\,v^j

    A motion under forces keeps it too if the potential does not change along ξ. ``vector``: the field ξ as a function of the
    coordinates; it is refused if its deformation does not vanish at random places, or at the coordinates ``at`` (K, n).
    """
    chart = metric.chart
    field = field_of(chart, "vector xi", vector, rank=1, indices=UPPER)
    places = (
        places_of(chart, at)[1]
        if at is not None
        else sample_places(chart, KILLING_SAMPLES, own_parameters(chart, parameters))
    )
    strain, allowed = _strain_and_round_off(field, places, parameters)
    worst = int(np.argmax(strain / allowed))
    if not strain[worst] <= allowed[worst]:
        raise MethodError(
            f"{chart.where}: the field is not a Killing field: at {chart.place(places[worst])} its deformation is {strain[worst]:.3g}, and "
            f"round-off would be below {allowed[worst]:.3g}; its momentum is not constant"
        )
    v, t = symbols("v", chart.n), symbol("t")
    value = (chart.g @ field.components) @ v
    values = parameter_values(chart.where, field.parameters, parameters)
    tape = trace({"q": chart.q, "v": v, "t": np.array([t])}, {"value": [value]}, values)
    return FirstIntegral("momentum along a Killing field", rf"g_{{ij}} {field.symbol}^{{i}} v^{{j}}", "",
                         "the field leaves the metric unchanged", tape, tuple(values[name] for name in sorted(values)))  # fmt: skip


def killing_fields(metric: Metric, degree: int = 1, *, functions: Callable | None = None,
                   parameters: Mapping[str, float] | None = None, at=None) -> tuple[TensorField, ...]:  # fmt: skip
    r"""A basis of the Killing fields whose components are combinations of given functions of the coordinates.

    .. math:: \xi^i = \sum_\alpha c^i_\alpha\,\varphi_\alpha(q),\qquad \operatorname{def}\xi = 0

    ``degree``: the φ are all monomials up to this degree. ``functions``: a function of the coordinates that returns the φ instead. The
    linear equations for c are collected at random places, or at the coordinates ``at`` (K, n). Fields of other forms are not found.
    """
    chart = metric.chart
    phi = _monomials(chart, degree) if functions is None else _given_functions(chart, functions)
    n, count = chart.n, len(phi)
    if n * count > MOST_UNKNOWNS_OF_FIELDS:
        raise MethodError(
            f"{chart.where}: {n * count} unknowns for Killing fields; at most {MOST_UNKNOWNS_OF_FIELDS} are solved for"
        )
    samples = max(KILLING_SAMPLES, 4 * count)
    places = (
        places_of(chart, at)[1] if at is not None else sample_places(chart, samples, own_parameters(chart, parameters))
    )
    if len(places) < count:
        raise StartError(
            f"{chart.where}: {len(places)} places for {n * count} unknowns; give at least {count} of them in at="
        )
    values = TracedNumbers(chart, "a function", _row(phi)).at(places, parameters)
    _check_independent(chart, values)
    columns = np.zeros((n, count, n, n), dtype=object)
    for i in range(n):
        for a, one in enumerate(phi):
            field = np.zeros(n, dtype=object)
            field[i] = one
            columns[i, a] = deformation_graphs(TensorField(chart, "xi", UPPER, field))
    found = TracedNumbers(chart, "the deformation", columns, parameters_of(_row(phi))).at(places, parameters)
    lower, upper = np.tril_indices(n)
    A = np.moveaxis(found.reshape(len(places), n * count, n, n)[:, :, lower, upper], 1, 2).reshape(-1, n * count)
    size = np.abs(A).max(axis=1)
    sizes = np.abs(metric(places, own_parameters(chart, parameters))).max(axis=(1, 2)) * np.abs(values).max(axis=1)
    kept = size > HUNDRED_ROUND_OFFS * np.repeat(sizes, n * (n + 1) // 2)
    A = A[kept] / size[kept][:, None]
    basis = tidy_basis(null_space(A)) if len(A) else np.eye(n * count)
    fields = [_combination(row.reshape(n, count), phi) for row in basis]
    return tuple(TensorField(chart, rf"\xi_{{{k + 1}}}", UPPER, one) for k, one in enumerate(fields))


def _strain_and_round_off(field: TensorField, places: np.ndarray, parameters) -> tuple[np.ndarray, np.ndarray]:
    """The largest entry of def v at places (K,), and what it may be by round-off: of its terms, and of g v where they vanish."""
    chart, v = field.chart, field.components
    terms = absolute(chart.g) @ absolute(chart.derivatives(v))
    terms = 0.5 * (absolute(chart.metric_derivatives) @ absolute(v) + terms + terms.T)
    sizes = absolute(chart.g) * absolute(v)
    graphs = np.stack([deformation_graphs(field), terms, sizes])
    found = TracedNumbers(chart, "the deformation", graphs, field.parameters).at(places, parameters)
    strain, terms, sizes = np.moveaxis(np.abs(found).max(axis=(2, 3)), 1, 0)
    return strain, np.maximum(NULL_VECTOR * terms + HUNDRED_ROUND_OFFS * sizes, NEXT_TO_ZERO)


def _check_independent(chart: Chart, values: np.ndarray) -> None:
    """Refuse functions that depend on each other: combinations of them that vanish would be taken for fields."""
    scaled = values / np.maximum(np.abs(values).max(axis=0), NEXT_TO_ZERO)
    sizes = np.linalg.svd(scaled, compute_uv=False)
    if not sizes[-1] > DEPENDENT_ROWS * sizes[0]:
        raise MethodError(
            f"{chart.where}: the functions for Killing fields depend on each other at {len(values)} places; leave out those that others "
            "give, or give other places in at="
        )


def _row(phi: list) -> np.ndarray:
    return np.array([*phi, None], dtype=object)[:-1]


def _monomials(chart: Chart, degree: int) -> list:
    if (
        not isinstance(degree, (int, np.integer))
        or isinstance(degree, bool)
        or not 0 <= degree <= MOST_UNKNOWNS_OF_FIELDS
    ):
        raise StartError(f"{chart.where}: degree {shorten(degree)} of Killing fields; give a whole number such as 1")
    found = []
    for order in range(int(degree) + 1):
        for factors in combinations_with_replacement(chart.q, order):
            product = 1.0
            for x in factors:
                product = product * x
            found.append(product)
            if len(found) > MOST_UNKNOWNS_OF_FIELDS:
                return found
    return found


def _given_functions(chart: Chart, functions: Callable) -> list:
    where = f"{chart.where}: functions"
    made = jet_function(where, functions, chart.coordinates)
    if made.order > 0:
        raise ModelError(f"{where}: they hold velocities; give functions of the coordinates")
    return list(made.row((chart.q,), None))


def _combination(coefficients: np.ndarray, phi: list) -> np.ndarray:
    return np.array([sum((c * one for c, one in zip(row, phi, strict=True) if c != 0.0), 0.0) for row in coefficients] + [None],
                    dtype=object)[:-1]  # fmt: skip
