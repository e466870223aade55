"""Impulses in a tree: the bodies and joints they act on, and their checks."""

from collections.abc import Mapping
from dataclasses import replace

from vinculum.bodies import Body, PrescribedBody
from vinculum.bonds import Impulse, Joint
from vinculum.errors import ModelError
from vinculum.scalars import symbol, symbols
from vinculum.systems.actions_in_tree import Struck
from vinculum.systems.checks.actions import check_action
from vinculum.systems.tree import Tree
from vinculum.systems.views import JointView


def check_impulse(impulse: Impulse, bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
    """Refuse an impulse that cannot act on its body or joint."""
    joint = joints.get(impulse.struck)
    if joint is None:
        if isinstance(bodies[impulse.struck], PrescribedBody):
            raise ModelError(
                f"{impulse.called}: the motion of body '{impulse.struck}' is prescribed, so an impulse does not change it; strike another"
            )
        check_action(impulse, bodies)
        return
    q, v = symbols("q", joint.nq), symbols("v", joint.nv)
    if not joint.nv:
        raise ModelError(f"{impulse.called}: joint '{joint.name}' has no velocities to act along; strike a body")
    own = JointView(joint.name, q[0] if joint.nq == 1 else q, v[0] if joint.nv == 1 else v)
    impulse.law.along(own, joint.nv, symbol("t"))


def with_impulses(tree: Tree, impulses: list[Impulse]) -> Tree:
    """The tree with its applied impulses."""
    if not impulses:
        return tree
    for constrained in tree.constraints:
        name, where = (
            constrained.constraint.name,
            f"{impulses[0].called}: system '{tree.name}' has constraint '{constrained.constraint.name}'",
        )
        if constrained.varies:
            raise ModelError(
                f"{where}, which adds to the Lagrangian, and how an impulse changes its multipliers is not known; realize '{name}' with "
                "vc.DAlembert() or vc.Chetaev()"
            )
        if constrained.holds and (constrained.constraint.level == 2 or not constrained.is_linear):
            what = "on accelerations" if constrained.constraint.level == 2 else "nonlinear in the velocities"
            raise ModelError(
                f"{where}, which is {what}: its law does not determine the reaction to an impulse; start a second run "
                "with the velocities that you know"
            )
        if constrained.directions:
            raise ModelError(
                f"{where}, whose servo exerts named efforts: their reaction to an impulse is not determined; leave the servo out, or "
                "start a second run after the impulse"
            )
    return replace(tree, impulses=tuple(_impulse_target(tree, one) for one in impulses))


def _impulse_target(tree: Tree, impulse: Impulse) -> Struck:
    name = impulse.struck
    if name in tree.bodies:
        return Struck(impulse, "body", tree.bodies[name])
    if name in tree.joints:
        return Struck(impulse, "joint", tree.joints[name])
    raise ModelError(
        f"{impulse.called}: joint '{name}' closes a loop and has no velocities of its own; strike one of its bodies"
    )
