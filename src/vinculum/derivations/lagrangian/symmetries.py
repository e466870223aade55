"""First integrals of a Lagrangian: its energy, and momenta along symmetries that are affine in the coordinates, or along given fields."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.first_integrals import FirstIntegral, FirstIntegrals
from vinculum.derivations.lagrangian.random_states import keep_constraints
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.equations.sampling.null_spaces import independent_columns, null_space, tidy_basis
from vinculum.errors import MethodError, ModelError, shorten
from vinculum.scalars import depends_on, gradient, vector
from vinculum.systems.jets import jet_function
from vinculum.tolerances.functions import UNITS_APART, VANISHED
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.samples import FEWEST_SAMPLES_OF_INTEGRALS, METRIC_BOX


@final
@dataclass(frozen=True, eq=False)
class Term:
    """A term of integrals: its ``name``, ``value`` and ``rate`` along motions; ``field``: along which it is a momentum, None of a gauge."""

    name: str
    value: Any
    rate: Any
    field: np.ndarray | None = None


def integrals_of_lagrangian(
    system: LagrangianSystem, parameters: Mapping[str, float] | None, fields: Sequence[Callable]
) -> FirstIntegrals:
    r"""Energy, and momenta along fields ξ = c + C q + b t, less functions F(q, t) of second degree, whose rates vanish.

    .. math:: \frac{d}{dt}\Big(\sum_{k<N}\pi_k\cdot\xi^{(k)} - F\Big) =
              \sum_{k\le N}\frac{\partial\tilde L}{\partial q^{(k)}}\cdot\xi^{(k)} + (D + R)\cdot\xi - \dot F

    The right side holds no higher derivatives than a state does, so that the equations for the coefficients are linear and are collected at
    random states that keep the constraints. Reactions R = λ ∂F/∂v have no power along fields that are admissible velocities: Noether's
    theorem for d'Alembert's and Chetaev's realizations. Vakonomic constraints are part of L̃ = L + λF, and need no such condition.
    Symmetries of other forms are found if they are among the given ``fields``.
    """
    numbers, principle = system.numbers, system.principle
    values = numbers.values(parameters)
    form = numbers.form
    held = bool(principle.ideal)
    reactions = form.reactions(True) if held else np.zeros(0)
    pushed = vector(principle.D + (reactions @ principle.directions() if held else 0.0))
    terms = [*_given_terms(system, fields, pushed), *_affine_terms(system, pushed), *_gauge_terms(system)]
    along = [principle.directions() @ one.field if held and one.field is not None else [] for one in terms]
    groups = {"rates": [one.rate for one in terms], "values": [one.value for one in terms], "force": pushed,
              "slopes": vector(gradient(principle.whole(), principle.jet.levels[0])),
              "works": pushed * principle.jet.levels[1], "speeds": vector(principle.jet.levels[1]),
              "momenta": vector(gradient(principle.whole(), principle.highest)),
              "along": np.concatenate([np.zeros(0), *along])}  # fmt: skip
    found = _at_random_states(system, groups, values, 3 * len(terms) + FEWEST_SAMPLES_OF_INTEGRALS)
    given = tuple(values.tolist())
    kept = (
        [_energy(system, numbers.tape({"value": [form.energy()]}), given, held)] if _keeps_energy(system, found) else []
    )
    constants = np.column_stack([np.ones(len(found["values"])), found["values"]])
    columns = independent_columns(constants)[1:] - 1
    unit, gauge = _unit_of_momenta(found), np.array([one.field is None for one in terms])
    rates = found["rates"] / np.where(gauge, 1.0, unit)
    size = np.max([np.abs(x).max(axis=1) for x in (rates, found["force"] / unit, found["slopes"] / unit)], axis=0)
    null = null_space(rates[:, columns] / np.maximum(size, NEXT_TO_ZERO)[:, None])
    for short in tidy_basis(null) if len(null) else ():
        row = np.zeros(len(terms))
        row[columns] = short
        row[gauge] *= unit
        value = sum((x * one.value for x, one in zip(row, terms, strict=True) if x), 0.0)
        kept.append(
            FirstIntegral(
                _name(terms, row),
                r"p_{i} \xi^{i} - F",
                "",
                _reason(system, terms, row, found["along"]),
                numbers.tape({"value": [value]}),
                given,
            )
        )
    return FirstIntegrals(system.name, tuple(kept))


def _unit_of_momenta(found: Mapping[str, np.ndarray]) -> float:
    """A unit in which momenta and forces are of order one, as coordinates and time are; a power of two if they are far from it."""
    size = max(float(np.median(np.abs(found[name]).max(axis=1))) for name in ("momenta", "force", "slopes"))
    near = 1.0 / UNITS_APART <= size <= UNITS_APART
    return 1.0 if near or size < NEXT_TO_ZERO else float(2.0 ** np.round(np.log2(size)))


def _at_random_states(
    system: LagrangianSystem, groups: Mapping[str, Any], values: np.ndarray, count: int
) -> dict[str, np.ndarray]:
    """Groups of graphs at random states that keep the constraints and where all of them are finite, at least ``count``."""
    numbers, principle = system.numbers, system.principle
    draw = np.random.default_rng(11).uniform(-METRIC_BOX, METRIC_BOX, (2 * count, len(numbers.form.state) + 1))
    rows = keep_constraints(numbers, np.concatenate([draw, np.broadcast_to(values, (len(draw), len(values)))], axis=1))
    with np.errstate(all="ignore"):
        found = evaluate_groups(numbers.tape(groups), rows)
    finite = np.all([np.isfinite(x).all(axis=1) for x in found.values()], axis=0)
    if finite.sum() < count:
        where = " on its constraints" if principle.ideal or principle.stationary else ""
        raise MethodError(
            f"Lagrangian system '{system.name}': L is finite at {int(finite.sum())} of {len(draw)} random states{where}; first integrals "
            "are not sought: give coordinates that are small numbers where L is defined"
        )
    return {name: x[finite] for name, x in found.items()}


def _momenta_and_derivatives(system: LagrangianSystem) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Momenta π_k for k < N, and the derivatives of L̃ by q^{(k)} for k ≤ N."""
    principle = system.principle
    momenta = [*system.numbers.form.chain, vector(gradient(principle.whole(), principle.highest))]
    slopes = [vector(gradient(principle.whole(), level)) for level in principle.jet.levels[: principle.order + 1]]
    return momenta, slopes


def _keeps_energy(system: LagrangianSystem, found: Mapping[str, np.ndarray]) -> bool:
    """Whether L̃ does not depend on time and neither forces D nor reactions have power, at all states."""
    principle = system.principle
    if depends_on(np.array([principle.whole(), 0.0], dtype=object), [principle.jet.t]):
        return False
    if not principle.ideal:
        return not any(not (isinstance(x, float) and x == 0.0) for x in principle.D)
    size = np.linalg.norm(found["force"], axis=1) * np.linalg.norm(found["speeds"], axis=1)
    return bool(np.all(np.abs(found["works"].sum(axis=1)) <= VANISHED * size))


def _energy(system: LagrangianSystem, tape, given: tuple[float, ...], held: bool) -> FirstIntegral:
    why = "L does not depend on time, and no other forces act"
    if system.principle.stationary:
        why = "L + λF does not depend on time, and no other forces act"
    if held:
        why = "L does not depend on time, and the reactions of the constraints do no work"
    return FirstIntegral("energy", "E", "", why, tape, given)


def _affine_terms(system: LagrangianSystem, pushed: np.ndarray) -> list[Term]:
    principle, names = system.principle, system.coordinates
    jet, order, n = principle.jet, principle.order, principle.n
    momenta, slopes = _momenta_and_derivatives(system)
    force, e = slopes[0] + pushed, np.eye(n)
    found = [Term(f"p_{a}", momenta[0][i], force[i], e[i]) for i, a in enumerate(names)]
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            value = sum(momenta[k][i] * jet.levels[k][j] for k in range(order))
            rate = force[i] * jet.levels[0][j] + sum(slopes[k][i] * jet.levels[k][j] for k in range(1, order + 1))
            found.append(Term(f"{b} p_{a}", value, rate, jet.levels[0][j] * e[i]))
    for i, a in enumerate(names):
        value = jet.t * momenta[0][i] + (momenta[1][i] if order > 1 else 0.0)
        found.append(Term(f"t p_{a}", value, jet.t * force[i] + slopes[1][i], jet.t * e[i]))
    return found


def _gauge_terms(system: LagrangianSystem) -> list[Term]:
    (q, v), t, names = system.principle.jet.levels[:2], system.principle.jet.t, system.coordinates
    found = [Term("t", t, 1.0), Term("t²", t * t, 2.0 * t)]
    for i, a in enumerate(names):
        found.append(Term(a, q[i], v[i]))
        found.append(Term(f"t {a}", t * q[i], q[i] + t * v[i]))
        for j in range(i + 1):
            name = f"{names[j]} {a}" if j < i else f"{a}²"
            found.append(Term(name, q[i] * q[j], q[i] * v[j] + v[i] * q[j]))
    return found


def _given_terms(system: LagrangianSystem, fields: Any, pushed: np.ndarray) -> list[Term]:
    """Momenta along fields that the user gives."""
    principle, where = system.principle, f"Lagrangian system '{system.name}'"
    if callable(fields) or not isinstance(fields, Sequence) or isinstance(fields, str):
        raise ModelError(
            f"{where}: fields is {shorten(fields)}; give a list of functions, as [lambda q: (-q[1], q[0])]"
        )
    jet, order = principle.jet, principle.order
    momenta, slopes = _momenta_and_derivatives(system)
    found = []
    for number, given in enumerate(fields):
        one = jet_function(f"{where}: field {number}", given, system.coordinates)
        levels = [vector(one.row(jet.levels, jet.t, principle.n))]
        if jet.order(levels[0]) > 0:
            raise ModelError(f"{one.where} depends on velocities; give a function of the coordinates and of t")
        for _ in range(order):
            levels.append(vector(jet.rate(levels[-1])))
        value = sum(momenta[k] @ levels[k] for k in range(order))
        rate = pushed @ levels[0] + sum(slopes[k] @ levels[k] for k in range(order + 1))
        found.append(Term(f"p·ξ{number}", value, rate, levels[0]))
    return found


def _reason(system: LagrangianSystem, terms: Sequence[Term], row: np.ndarray, along: np.ndarray) -> str:
    """Why an integral holds: d'Alembert's reactions have no power along admissible fields, and vakonomic ones are part of L."""
    principle = system.principle
    if not principle.ideal:
        what = "L + λF" if principle.stationary else "L"
        return f"its rate vanishes identically: {what} changes by a total derivative"
    weights = np.array([x for x, one in zip(row, terms, strict=True) if one.field is not None])
    moved = np.einsum("k,bkm->bm", weights, along.reshape(len(along), len(weights), -1))
    size = np.abs(along).max(initial=0.0) * max(1.0, float(np.abs(weights).max(initial=0.0)))
    if np.all(np.abs(moved) <= VANISHED * max(1.0, size)):
        return "its field is an admissible velocity, along which reactions have no power, and L changes by a total derivative"
    return (
        "its rate vanishes on the constraints; its field is no admissible velocity, and reactions have power along it"
    )


def _name(terms: Sequence[Term], row: np.ndarray) -> str:
    """An integral in words: the sum of its terms."""
    text = ""
    for x, one in zip(row, terms, strict=True):
        if x:
            sign = "−" if x < 0 else "+" if text else ""
            factor = "" if abs(x) == 1.0 else f"{abs(x):.6g} "
            text += f"{' ' if text else ''}{sign}{' ' if text else ''}{factor}{one.name}"
    return f"momentum {text}"
