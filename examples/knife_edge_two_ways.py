"""A skate on ice, its blade realized in four ways: d'Alembert, vakonomic, friction and added inertia."""

from pathlib import Path

import vinculum as vc


def skate() -> vc.System:
    """A body that slides on a plane and cannot move across its blade."""
    system = vc.System("skate")
    blade = system.add(vc.RigidBody("blade", mass=1.0, inertia=(1.0, 1.0, 0.7)))
    system.add(vc.Planar("ice", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, side=(0, 1, 0), realization=vc.DAlembert()))
    return system


def main(folder: Path):
    """The four motions from one start, their differences, and a picture of them side by side."""
    ways = [
        vc.DAlembert(),
        vc.Vakonomic(multipliers=0.0),
        vc.constraints.ViscousFriction(100.0),
        vc.constraints.AddedInertia(100.0),
    ]
    start = {"ice": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}
    compared = vc.constraints.compare_realizations(skate(), "edge", ways, 4.0, start)
    print(compared)
    for label in compared.labels:
        x, y, heading = compared[label].q[-1, :3]
        print(f"{label}: ends at ({x:.6f}, {y:.6f}) with the heading {heading:.6f}")
    compared.plot(folder / "edge.png")
    return compared


if __name__ == "__main__":
    main(Path.cwd())
