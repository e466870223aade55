r"""Momenta of parts on which forces act whose impulses are functions of positions and of the time: gauge-type integrals.

.. math:: I = \mathbf L\cdot e + \mathbf P\cdot(a + A\,r_c) - F(q, t),\qquad \dot F = \mathbf Q\cdot\xi

The field ξ = (a + A r_c, e) moves a part as one rigid body and is an admissible velocity, as in `admissible_fields`. The power of forces
along it need not vanish: that of a charge in a uniform magnetic field, of linear drag, of a linear damper and of a constant
force or torque is the rate of a polynomial F of second degree in positions of bodies, in coordinates of joints and in the time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.bonds import BodyView
from vinculum.equations.applied import applied_forces
from vinculum.equations.constraints.conditions import conditions
from vinculum.equations.energies import mass_center, momentum_screw
from vinculum.equations.integrals.action_loads import ActionLoad
from vinculum.equations.integrals.admissible_fields import (
    ALL,
    Fields,
    Joints,
    field_name,
    fields_of,
    fields_of_twists,
    quadratic_rows,
    readable_rows,
    rows_of_order_one,
    twists_of_fields,
    unit_scale,
    velocities_of_fields,
)
from vinculum.equations.integrals.free_twists import allowed_twists, is_driven
from vinculum.equations.integrals.integral import Integral, point_name
from vinculum.equations.integrals.momentum import part_name, screw_size
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.sampling.null_spaces import independent_columns, null_space, restrict_basis
from vinculum.equations.sampling.opaque import OPAQUE
from vinculum.equations.sampling.states import Sampling
from vinculum.scalars import directional
from vinculum.scalars.math import abs as absolute
from vinculum.systems import Tree, body_view, subsystem
from vinculum.systems.state_names import q_names
from vinculum.tolerances.rank import NULL_VECTOR
from vinculum.tolerances.sizes import MOST_GAUGES

AXES = "xyz"


class Gauge(NamedTuple):
    """A term of F: its ``name`` and its ``value``, a graph over (q, t)."""

    name: str
    value: Any


@final
@dataclass(frozen=True, eq=False)
class ForcedPart:
    """What the joints ``roots`` carry together, ``links``, with the terms that a function F of it may have."""

    roots: tuple[int, ...]
    links: tuple[int, ...]
    origin: np.ndarray
    gauges: tuple[Gauge, ...]

    @property
    def samples(self) -> int:
        """How many random states decide about its integrals: twice as many as there are coefficients."""
        return 2 * (ALL + len(self.gauges) + 1)


def forced_part(
    tree: Tree, roots: Sequence[int], loads: Sequence[ActionLoad], placed, at: Sampling
) -> ForcedPart | None:
    """The part that some roots carry, if forces act on it that follow from no energy, and None otherwise.

    Bodies that deform, have added inertia or exchange mass have other fields. A part with very many terms is not searched.
    """
    links = tuple(sorted(i for index in roots for i in subsystem(tree, index)))
    if tree.varying or any(tree.links[i].inner is not None or tree.links[i].extra_inertia is not None for i in links):
        return None
    pushed = sorted({i for load in loads if not load.by_energy for i in load.links if i in links})
    driven = [i for i in roots if is_driven(tree.links[i], at).any()]
    if not pushed and not driven:
        return None
    origin = fields_of(at.of(mass_center(tree, placed, links))).origin
    found = [Gauge("t", at.t), Gauge("t²", at.t * at.t)]
    coordinates = q_names(tree)
    for i in driven:
        own, moving = at.q[tree.links[i].q], at.v[tree.links[i].v]
        if tree.links[i].joint.kind.coordinates.rates(own, moving) is moving:
            found += _products([f"'{name}'" for name in coordinates[tree.links[i].q]], own, "")
    for i in pushed:
        found += _places(body_view(tree.links[i], placed[i]), tree.links[i].body.turns, origin)
    return ForcedPart(tuple(roots), links, origin, tuple(found)) if len(found) <= MOST_GAUGES else None


def _places(view: BodyView, turns: bool, origin: np.ndarray) -> list[Gauge]:
    """Terms of a body: coordinates of its origin, and of its mass center elsewhere, their products, and the entries of its rotation."""
    of, found = f" of '{view.name}'", []
    points = [("", view._state.X_WB.p - origin)]
    if turns:
        points.append(("_c", view._state.X_WB.apply(view._state.com) - origin))
        found = [
            Gauge(f"R_{a}{b}{of}", view._state.X_WB.R[j, k]) for j, a in enumerate(AXES) for k, b in enumerate(AXES)
        ]
    terms = [one for mark, place in points for one in _products([f"{a}{mark}" for a in AXES], place, of)]
    return [*terms, *found]


def _products(letters: Sequence[str], values: np.ndarray, of: str) -> list[Gauge]:
    """Some values and their products in pairs."""
    found = [Gauge(f"{a}{of}", x) for a, x in zip(letters, values, strict=True)]
    for j, a in enumerate(letters):
        for k in range(j, len(letters)):
            found.append(Gauge(f"{a}²{of}" if j == k else f"{a} {letters[k]}{of}", values[j] * values[k]))
    return found


def gauge_integrals(tree: Tree, part: ForcedPart, joints: Joints, placed, at: Sampling) -> list[Integral]:
    """Integrals of a part along admissible fields, less functions whose rates are the powers of forces along them."""
    center = at.of(mass_center(tree, placed, part.links))
    fields = Fields(part.origin, twists_of_fields(center - part.origin))
    basis = _admissible_fields(tree, part, joints, placed, at, fields)
    if not len(basis):
        return []
    values = np.array([one.value for one in part.gauges], dtype=object)
    changes = at.of(directional(values, [*at.q, at.t], [*rates(tree, at.q, at.v), 1.0]))
    used = independent_columns(changes)
    scale = np.abs(changes[:, used]).max(axis=0)
    moved = velocities_of_fields(tree, part.roots, joints, fields)
    force, blocks, push = applied_forces(tree, at.t, at.q, at.v), [], 0.0
    for operations in (None, OPAQUE):
        Q = at.of(force, operations)
        sound = np.isfinite(Q).all(axis=1)
        power = np.einsum("sv,svf->sf", Q[sound], moved[sound]) @ basis.T
        gross = np.einsum("sv,svf->sf", np.abs(Q[sound]), np.abs(moved[sound])).max(initial=0.0)
        push = push or float(np.abs(power).max(initial=0.0))
        if 3 * np.count_nonzero(sound) < 2 * len(Q) or not push > NULL_VECTOR * gross:
            return []
        own = np.concatenate([power / push, -changes[sound][:, used] / scale], axis=1)
        own = own / np.maximum(np.abs(own).max(axis=1, keepdims=True), 1.0)
        blocks.append(np.concatenate([own, np.zeros((len(own), 1))], axis=1))
    g = at.of(tree.gravity)
    weight = np.einsum("si,sif->sf", np.concatenate([g, np.cross(center - part.origin, g)], axis=1), fields.twists)
    pull = float(np.abs(g).max()) or 1.0
    blocks.append(
        np.concatenate([weight @ basis.T / pull, np.zeros((len(g), len(used))), -np.ones((len(g), 1))], axis=1)
    )
    null = null_space(np.concatenate(blocks))
    rows = np.concatenate([null[:, : len(basis)] @ basis, null[:, len(basis) :]], axis=1)
    found = []
    for row in readable_rows(rows):
        row = np.where(np.abs(row) > NULL_VECTOR * np.abs(row).max(), row, 0.0)
        row = row * unit_scale(row[:ALL])
        if row[:ALL].any() and row[ALL:-1].any():
            terms = [(part.gauges[k], x) for k, x in zip(used, row[ALL:-1] * push / scale, strict=True) if x]
            found.append(_integral(tree, part, row[:ALL], terms, float(row[-1]) * pull, placed, at))
    return found


def _admissible_fields(
    tree: Tree, part: ForcedPart, joints: Joints, placed, at: Sampling, fields: Fields
) -> np.ndarray:
    """Fields (k, 15) that the joints of the roots allow, that no reaction has a power along, and with P·A P = 0."""
    spaces = [allowed_twists(tree.links[i], joints.allowed[i], joints.turns[i]) for i in part.roots]
    basis = fields_of_twists(spaces, fields)
    if tree.is_conditioned and len(basis):
        conditioned = conditions(tree, at.q, at.v)
        along = conditioned.along if tree.is_directed else conditioned.jacobians
        moved = velocities_of_fields(tree, part.roots, joints, fields)
        for operations in (None, OPAQUE):
            J = at.of(along, operations)
            basis = restrict_basis(basis, rows_of_order_one(np.einsum("smv,svf->smf", J, moved), np.abs(J).max(axis=2)))
    screw: Any = sum(momentum_screw(tree.links[i], placed[i]) for i in part.links)
    return restrict_basis(basis, quadratic_rows(at.of(screw[:3])))


def _integral(
    tree: Tree,
    part: ForcedPart,
    field: np.ndarray,
    terms: Sequence[tuple[Gauge, float]],
    fall: float,
    placed,
    at: Sampling,
) -> Integral:
    """The momentum along a field less Σ c F_k, and less the impulse of the weight, ``fall`` t for each unit of mass."""
    e, A, a = field[:3], field[3:12].reshape(3, 3), field[12:]
    screw: Any = sum(momentum_screw(tree.links[i], placed[i]) for i in part.links)
    size: Any = sum(screw_size(tree, i, placed) for i in part.links)
    mass: Any = sum(tree.links[i].mass for i in part.links)
    arm = mass_center(tree, placed, part.links) - part.origin
    shift = np.cross(part.origin, e)
    pulled = mass * fall * at.t if fall else 0.0
    value = screw[3:] @ e + screw[:3] @ (a + A @ arm + shift) - pulled
    whole = size[3:] @ np.abs(e) + size[:3] @ (np.abs(a) + np.abs(A) @ absolute(arm) + np.abs(shift)) + absolute(pulled)
    name = field_name(e, A, a, part.origin) + part_name(tree, part.roots, part.links)
    for gauge, x in terms:
        value, whole = value - x * gauge.value, whole + abs(x) * absolute(gauge.value)
        factor = f"{abs(x):.6g} "
        name += f" {'−' if x > 0 else '+'} {'' if factor == '1 ' else factor}{gauge.name}"
    name += f", from {point_name(part.origin)}" if part.origin.any() else ""
    return Integral(
        name + (" less its weight's impulse" if fall else ""),
        r"\mathbf L\cdot\mathbf e + \mathbf P\cdot(\mathbf a + A\,\mathbf r_c) - F",
        "N m s" if e.any() or A.any() else "N s",
        "the power of all forces along its field is the rate of a function of positions and of the time",
        value,
        whole,
    )  # fmt: skip
