"""`audit_invariance`: invariance of bonds under superposed rigid motions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.audits.invariance.effort_symmetries import EffortSymmetries, effort_symmetries
from vinculum.audits.invariance.report import InvarianceLine, InvarianceReport
from vinculum.bodies import GROUND, Body
from vinculum.bonds import Action, Constraint, Contact, Impulse, Joint, Unilateral, end_name
from vinculum.derivations.invariance.meaning import (
    contradiction_meaning,
    effort_meaning,
    energy_meaning,
    external_meaning,
    gravity_meaning,
    undecided_meaning,
)
from vinculum.derivations.invariance.symmetries import Symmetries, symmetries
from vinculum.derivations.invariance.symmetries_of_actions import action_symmetries
from vinculum.equations.sampling.frame_dependence import acceleration_efforts
from vinculum.errors import ModelError
from vinculum.models.model_cache import model_for
from vinculum.scalars import Scalar, gradient, parameter, value
from vinculum.screws import Pose
from vinculum.systems import System, free_views
from vinculum.tolerances.functions import UNCHANGED
from vinculum.tolerances.samples import BODIES_WEIGHED

LEVELS = ("positions", "velocities", "accelerations")
EXACT = {True: "yes", False: "no", None: "open"}


def audit_invariance(system: System, parameters: Mapping[str, float] | None = None) -> InvarianceReport:
    """Whether every action, joint, constraint and uniform gravity is unchanged by rigid motions superposed on the whole system.

    Energies and gaps of joints are differentiated exactly along translations, rotations and time, and compared before
    and after finite random motions. The ground, if a bond names it, moves along. Efforts without an energy are
    compared at samples. A bond that is not invariant acts against something that is not a body of the system.
    ``parameters``: values for the samples; the exact part holds for all values. O'Reilly and Srinivasa, On Potential
    Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (8)–(10), (19), (24), (25).

    >>> system = vc.System("molecule")
    >>> a, b = (system.add(vc.MassPoint(name, mass=1.0)) for name in "ab")
    >>> spring = system.add(vc.Spring("spring", a, b, stiffness=1.0))
    >>> vc.audit_invariance(system)["spring"].verdict
    'invariant'
    """
    if not isinstance(system, System):
        raise ModelError(
            f"audit_invariance needs a vc.System, got {type(system).__name__}; a stored run has no energies any more"
        )
    values = dict(parameters or {})
    if values:
        model_for(system).parameter_values(values)
    lines = [_action_line(action, system.bodies, values) for action in system.actions.values()]
    lines += [_joint_line(joint, values) for joint in system.joints.values()]
    lines += [_constraint_line(one, system, values) for one in system.constraints.values()]
    lines += [_unilateral_line(one, system, values) for one in system.unilaterals.values()]
    lines += [_impulse_line(one, system, values) for one in system.impulses.values()]
    lines += [_contact_line(one) for one in system.contacts.values()]
    lines += _gravity_lines(system, values)
    return InvarianceReport(system.name, tuple(lines))


def _action_line(action: Action, bodies: Mapping[str, Body], values: Mapping[str, float]) -> InvarianceLine:
    ends = [end_name(end) for end in action.ends]
    kind = type(action).__name__
    free, found = action_symmetries(action, [bodies.get(name) for name in ends], values)
    efforts = action.law.efforts_at(free.moving, free.t)
    given = None if efforts is None else effort_symmetries(efforts, free, values)
    if action.law.is_external and given is not None:
        return InvarianceLine(action.name, kind, "external", "", given.changes["all"], given.broken, (), given.force, given.moment,
                              given.residual, external_meaning(ends, given.force, given.moment))  # fmt: skip
    if given is None or isinstance(action.law.energy_at(free.still, free.t), Scalar):
        line = _energy_line(action.name, kind, "its energy", ends, found)
        return line if given is None or line.verdict != "invariant" else _with_efforts(line, ends, given, "yes")
    blank = InvarianceLine(action.name, kind, "invariant", "", 0.0, (), (), 0.0, 0.0, 0.0, "")
    return _with_efforts(blank, ends, given, "")


def _energy_line(bond: str, kind: str, what: str, ends: Sequence[str], found: Symmetries) -> InvarianceLine:
    change = found.changes["all"]
    meaning = {
        "invariant": f"{what} depends only on relative positions and rotations; efforts are opposite",
        "undecided": undecided_meaning(what),
        "contradiction": contradiction_meaning(what, found.exact, change),
        "not invariant": energy_meaning(what, ends, found.broken, found.kept),
    }[found.verdict]
    shown = found.verdict in ("not invariant", "contradiction")
    return InvarianceLine(bond, kind, found.verdict, EXACT[found.exact], change, found.broken if shown else (),
                          found.kept if shown else (), found.force, found.moment, found.residual, meaning)  # fmt: skip


def _with_efforts(line: InvarianceLine, ends: Sequence[str], given: EffortSymmetries, exact: str) -> InvarianceLine:
    """The line of an energy, combined with the result for given efforts."""
    change = max(line.change, given.changes["all"], given.changes["motion"])
    lost = given.residual > UNCHANGED
    verdict = "not invariant" if given.broken or lost else "invariant"
    meaning = (
        effort_meaning(ends, given.broken) if given.broken else "its wrenches are opposite and rotate with the bodies"
    )
    if lost:
        meaning = (
            f"its efforts are not opposite: Σ F is up to {given.force:.3g} N and Σ (M + x × F) {given.moment:.3g} N m"
        )
    return replace(line, verdict=verdict, exact=exact, change=change, broken=given.broken, meaning=meaning,
                   force=max(line.force, given.force), moment=max(line.moment, given.moment),
                   residual=max(line.residual, given.residual))  # fmt: skip


def _joint_line(joint: Joint, values: Mapping[str, float]) -> InvarianceLine:
    """A joint's gaps as functions of the positions of both bodies (the ground counts as one), combined by open multipliers."""
    ends = [end_name(joint.parent), end_name(joint.child)]
    free = free_views([None, None])
    parent, child = (Pose.of(R, x) for x, R in free.places)
    X = (parent @ joint.at @ joint.kind.alignment).inverse() @ (child @ joint.to @ joint.kind.alignment)
    gaps = [gap for _, gap in joint.kind.gaps(X)]
    found = symmetries(_weighted_sum(gaps), free, values)
    line = _energy_line(joint.name, f"{type(joint).__name__} joint", "a gap", ends, found)
    if line.verdict != "invariant":
        return line
    meaning = f"it depends only on the relative pose; reactions, springs, dampers and drives act between '{ends[0]}' and '{ends[1]}'"
    return replace(line, meaning=meaning)


def _constraint_line(constraint: Constraint, system: System, values: Mapping[str, float]) -> InvarianceLine:
    """A constraint's rows as functions of its bodies: on positions like gaps, on velocities by the efforts ∂F/∂v, ∂F/∂ω of (19), on
    accelerations by ∂F/∂v̇, ∂F/∂ω̇. If the user names efforts, these are tested instead."""
    ends, kind = list(constraint.names), f"constraint on {LEVELS[constraint.level]}"
    assert constraint.realization is not None
    if constraint.realization.directions:
        return _servo_line(constraint.name, constraint.realization.directions, system, values)
    if any(name in system.joints for name in ends):
        meaning = "it depends on coordinates and velocities of joints, which are relative"
        return InvarianceLine(constraint.name, kind, "invariant", "", 0.0, (), (), 0.0, 0.0, 0.0, meaning)
    free = free_views([system.bodies.get(name) for name in ends])
    if constraint.level == 0:
        found = symmetries(_weighted_sum(constraint.rows(free.still, free.t)), free, values)
        return _energy_line(constraint.name, kind, "a row", ends, found)
    if constraint.level == 2:
        efforts = acceleration_efforts(constraint, free)
    else:
        total = _weighted_sum(constraint.rows(free.moving, free.t))
        efforts = [(gradient(total, u), gradient(total, w)) for u, w in free.motions]
    blank = InvarianceLine(constraint.name, kind, "invariant", "", 0.0, (), (), 0.0, 0.0, 0.0, "")
    return _with_efforts(blank, ends, effort_symmetries(efforts, free, values), "")


def _unilateral_line(unilateral: Unilateral, system: System, values: Mapping[str, float]) -> InvarianceLine:
    """A gap as a function of its bodies."""
    ends, kind = list(unilateral.names), "unilateral"
    if any(name in system.joints for name in ends):
        meaning = "it depends on coordinates of joints, which are relative"
        return InvarianceLine(unilateral.name, kind, "invariant", "", 0.0, (), (), 0.0, 0.0, 0.0, meaning)
    free = free_views([system.bodies.get(name) for name in ends])
    found = symmetries(unilateral.gap_at(free.still, free.t), free, values)
    return _energy_line(unilateral.name, kind, "the gap", ends, found)


def _impulse_line(impulse: Impulse, system: System, values: Mapping[str, float]) -> InvarianceLine:
    """An impulse on a body is external, as a force is. An impulse along a joint acts between its two bodies."""
    if impulse.struck not in system.joints:
        line = _action_line(impulse, system.bodies, values)
        told = f"an impulse on '{impulse.struck}' by no body of the system: it has no partner, and momentum jumps by it (up "
        return replace(line, meaning=f"{told}to {line.force:.3g} N s and {line.moment:.3g} N m s at the samples)")
    meaning = "it acts along the velocities of a joint, between its two bodies"
    return InvarianceLine(impulse.name, "Impulse", "invariant", "", 0.0, (), (), 0.0, 0.0, 0.0, meaning)


def _contact_line(contact: Contact) -> InvarianceLine:
    """Gaps between shapes are distances, which depend only on relative positions. Walls are fixed to the ground."""
    meaning = "gaps between shapes depend only on relative positions and rotations; impulses are opposite"
    if not contact.walls:
        return InvarianceLine(contact.name, "contact", "invariant", "", 0.0, (), (), 0.0, 0.0, 0.0, meaning)
    meaning = f"{meaning}; its {len(contact.walls)} wall{'s' * (len(contact.walls) > 1)} are fixed and act from outside"
    return InvarianceLine(contact.name, "contact", "external", "", 0.0, (), (), 0.0, 0.0, 0.0, meaning)


def _servo_line(name: str, directions: Sequence, system: System, values: Mapping[str, float]) -> InvarianceLine:
    """The worst of the efforts that a servo names; the effort of a joint acts between its two bodies."""
    lines = [_action_line(one, system.bodies, values) for one in directions if isinstance(one, Action)]
    meaning = "its effort acts between the two bodies of a joint"
    blank = InvarianceLine(name, "servo", "invariant", "", 0.0, (), (), 0.0, 0.0, 0.0, meaning)
    worst = next((line for line in lines if line.verdict != "invariant"), lines[0] if lines else blank)
    return replace(worst, bond=name, kind="servo")


def _weighted_sum(numbers: Sequence | np.ndarray) -> Any:
    """The sum of numbers with open multipliers: it is invariant if and only if each of them is."""
    weights = [parameter(f"multiplier_{i}", 1.0 + 0.3 * i) for i in range(len(numbers))]
    return sum((w * x for w, x in zip(weights, numbers, strict=True)), 0.0)


def _gravity_lines(system: System, values: Mapping[str, float]) -> list[InvarianceLine]:
    gravity = value(system.gravity, values)
    if not np.any(gravity) or not system.bodies:
        return []
    bodies = list(system.bodies.values())
    free = free_views(bodies[:BODIES_WEIGHED])
    energy = sum(-view.mass * (system.gravity @ view.center) for view in free.still)
    found = symmetries(energy, free, values)
    weight = float(sum(value(body.mass, values) for body in bodies) * np.linalg.norm(gravity))
    line = _energy_line("gravity", "uniform field", "the energy of the weight", [GROUND], found)
    return [replace(line, meaning=gravity_meaning(weight))]
