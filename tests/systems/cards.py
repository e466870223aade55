"""Houses of cards: thin boxes that lean on each other."""

import numpy as np

import vinculum as vc

LENGTH, WIDTH, THICKNESS, LEAN = 0.09, 0.06, 1e-3, 0.3


def _leaning(side: float, top: float, floor: float) -> vc.Pose:
    """A card whose highest edge is at x = ``top``, leaning to it from the left (side −1) or the right, above a floor."""
    angle = -side * LEAN
    R = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    corners = np.array([(x, 0, z) for x in (-THICKNESS / 2, THICKNESS / 2) for z in (-LENGTH / 2, LENGTH / 2)]) @ R.T
    x = top - (corners[:, 0].max() if side < 0 else corners[:, 0].min())
    return vc.Pose((x, 0, floor - corners[:, 2].min()), R)


def house(mu: float, storeys: int = 1) -> tuple[vc.System, dict]:
    """A tent of two cards, or two tents, a ceiling and a tent on it; and its start, a hundredth of a millimetre apart."""
    apart = 1e-5
    height = _leaning(-1, 0.0, 0.0).p[2] * 2 + apart
    start, floors = {}, [(0.0, apart)] if storeys == 1 else [(-0.035, apart), (0.035, apart)]
    if storeys == 2:
        floors.append((0.0, height + THICKNESS + 2 * apart))
    for k, (x, floor) in enumerate(floors):
        for side in (-1, 1):
            start[f"card {k} {'left' if side < 0 else 'right'}"] = _leaning(side, x + side * apart / 2, floor)
    shapes = {name: vc.shapes.Box((THICKNESS, WIDTH, LENGTH)) for name in start}
    if storeys == 2:
        start["ceiling"] = (0, 0, height + THICKNESS / 2 + apart)
        shapes["ceiling"] = vc.shapes.Box((0.12, WIDTH, THICKNESS))
    system = vc.System("house of cards", gravity=(0, 0, -9.81))
    cards = [system.add(vc.RigidBody.solid(name, shape, density=800.0)) for name, shape in shapes.items()]
    system.add(
        vc.Contact(
            "cards", cards, walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Inelastic(), friction=vc.Coulomb(mu)
        )
    )
    return system, start
