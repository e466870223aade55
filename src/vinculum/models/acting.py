"""What acts on the bodies of a model, from its layout, which a stored run has too."""

from vinculum.bonds.actions.mass_exchange import EXCHANGE
from vinculum.equations.observables.exchanges import DRIVE, GRAVITY, PLANE, SOURCES, Acts
from vinculum.models.layout import JointEntry, Layout


def acts_in(layout: Layout) -> list[Acts]:
    """Everything that acts on the bodies of a layout, in the order of `exchanges`; fields and constraints in space have their partner
    outside the system."""
    place = {name: entry.index for name, entry in layout.bodies.items()}
    every, found = tuple(sorted(place.values())), list[Acts]()
    found += [Acts(DRIVE.format(name), (place[name],), external=True) for name in layout.prescribed]
    found += [Acts(name, (place[one.child], place.get(one.parent, -1))) for name, one in transmitters(layout).items()]
    found += [Acts(name, (place[one.child], place.get(one.parent, -1))) for name, one in layout.closing.items()]
    brought = {EXCHANGE.format(name) for name in layout.masses}
    found += [
        Acts(name, tuple(place.get(end, -1) for end in one.bodies), one.external)
        for name, one in layout.actions.items()
        if name not in brought
    ]
    found += [
        Acts(name, tuple(place.get(end, -1) for end in one.on), one.external)
        for name, one in layout.constraints.items()
        if one.on
    ]
    found.append(Acts(GRAVITY, every, external=True))
    return [*found, Acts(SOURCES, every, external=True)] if layout.masses else found


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
