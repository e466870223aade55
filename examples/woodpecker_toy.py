"""The woodpecker toy: a sleeve jams and slides on a pole while the bird on its spring nods and pecks; it ends in a limit cycle."""

from pathlib import Path

import vinculum as vc

# Glocker, Dynamik von Starrkörpersystemen mit Reibung und Stößen (1995), p. 162; lengths in meters.
POLE, SLEEVE, HALF, ARM, REACH = 2.5e-3, 3.1e-3, 5.8e-3, 1.0e-2, 1.5e-2
BEAK = (-5.1e-3, 2.0e-2, 0.0)  # from the spring
SPRING, MASSES, INERTIAS = 5.6e-3, (3.0e-4, 4.5e-3), (5.0e-9, 7.0e-7)


def woodpecker() -> vc.System:
    """The pole is along y, at x = 0; the sleeve touches it with two edges, the bird with its beak."""
    system = vc.System("woodpecker toy", gravity=(0, -9.81, 0))
    sleeve = system.add(vc.RigidBody("sleeve", MASSES[0], inertia=(INERTIAS[0],) * 3))
    bird = system.add(vc.RigidBody("bird", MASSES[1], com=(REACH, 0, 0), inertia=(INERTIAS[1],) * 3))
    carriage = system.add(vc.MassPoint("carriage", 1e-7))
    system.add(vc.Prismatic("slide", "ground", carriage, axis=(0, 1, 0)))
    system.add(vc.Revolute("tilt", carriage, sleeve))
    system.add(vc.Revolute("nod", sleeve, bird, at=(ARM, 0, 0), stiffness=SPRING))
    touching = {"beak": (bird, BEAK, 0.5), "lower edge": (sleeve, (SLEEVE, -HALF, 0), 0.0),
                "upper edge": (sleeve, (SLEEVE, HALF, 0), 0.0)}  # fmt: skip
    for name, (body, place, e) in touching.items():
        point = lambda b, place=place: b.point(place)
        gap = lambda b, point=point: point(b)[0] - POLE
        system.add(vc.Unilateral(name, [body], gap=gap, point=point, impact=vc.Newton(e), friction=0.3))
    return system


def main(folder: Path) -> vc.Motion:
    """A second of pecking, its certificate, when edges and beak touch the pole, and the nodding as a phase portrait."""
    start = {"slide": vc.At(0.0, rate=-0.3), "tilt": -0.09, "nod": vc.At(-0.17, rate=-7.0)}
    motion = vc.simulate(woodpecker(), 1.0, start)
    print(motion.audit())
    motion.plot(kind="contact", path=folder / "woodpecker_contact.png")
    motion.plot("nod", kind="phase", path=folder / "woodpecker_toy.png")
    return motion


if __name__ == "__main__":
    main(Path.cwd())
