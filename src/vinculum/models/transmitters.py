"""What stands between the bodies of a model and their parents."""

from vinculum.equations.observables.exchanges import PLANE
from vinculum.models.layout import JointEntry, Layout


def transmitters(layout: Layout) -> dict[str, JointEntry]:
    """The joints that transmit something, by the name of what does: joints between bodies and those to the ground, and the planes of
    planar bodies. Nothing holds other free bodies; prescribed bodies have their drives."""
    found = {}
    for name, joint in layout.joints.items():
        if joint.child in layout.prescribed:
            continue
        if name != joint.child:
            found[name] = joint
        elif _is_planar(layout, joint):
            found[PLANE.format(joint.child)] = joint
    return found


def _is_planar(layout: Layout, joint: JointEntry) -> bool:
    """Whether a free body stays in the plane x-y: its place has two coordinates, and it deforms."""
    units = layout.v_units[slice(*joint.v)]
    return "1/s" in units and units.count("m/s") == 2
