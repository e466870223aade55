"""Certificates of time stepping on closed loops and constraints, whose states are brought back onto them at the ends of steps."""

import vinculum as vc
from blocks_in_contact import over_tables
from held_blocks import FLOOR, HELD, sideways
from linkages import pinned
from vinculum.models.written_out.type import WrittenOutType


def struck_beads() -> tuple[vc.System, dict]:
    """Beads on a string from a peg, and a sled on a floor that hits the last of them."""
    system = vc.System("beads", gravity=(0, 0, -9.81))
    beads = [system.add(vc.MassPoint(f"bead {k}", 0.05, shape=vc.shapes.Sphere(0.03))) for k in range(3)]
    for k in range(2):
        system.add(vc.constraints.distance(f"string {k}", beads[k], beads[k + 1], 0.1, **HELD))
    peg = vc.Constraint("peg", [beads[0], "ground"], position=lambda a, g: pinned(a, g, r=(-0.5, 0, 0.25)), **HELD)
    system.add(peg)
    sled = system.add(vc.RigidBody.solid("sled", vc.shapes.Box((0.2, 0.1, 0.05)), density=600))
    system.add(vc.Constraint("runners", [sled], velocity=sideways, **HELD))
    system.add(vc.Contact("floor", [sled], walls=[FLOOR], impact=vc.Newton(0.4), friction=vc.Coulomb(0.1)))
    system.add(vc.Contact("hit", [sled], against=beads, impact="inelastic", friction=0.1))
    start = {f"bead {k}": (-0.5, 0, 0.25 - 0.1 * k) for k in range(3)}
    return system, start | {"sled": vc.At((-0.8, 0.02, 0.0255), rate=(1.2, 0, 0, 0, 0, 0.6))}


def run(system, start, until, step=1e-3) -> vc.Motion:
    motion = vc.simulate(system, until, start, method="moreau", step=step, progress=False)
    assert isinstance(motion.record.model.type, WrittenOutType)
    return motion


def test_beads_that_are_struck_are_certified():
    """Velocities are brought onto the strings within steps, which changes the paths of beads that hardly move by more than all else."""
    motion = run(*struck_beads(), until=0.17)
    assert len(motion.bond("hit").impulses) > 0
    lines = {line.law: line for line in motion.audit().lines}
    assert all(line.verdict != "broken" for line in lines.values()), str(motion.audit())
    assert lines["weak form, mass input"].verdict == "holds", str(motion.audit())


def test_impulses_that_depend_on_velocities_see_those_after_a_correction_of_positions(monkeypatch):
    """The floor lifts two balls on a rod at the end of a step, which turns the rod, before the impulse acts."""
    over_tables(monkeypatch, False)
    system = vc.System("dumbbell", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(f"b{k}", vc.shapes.Sphere(0.05), density=1000)) for k in range(2)]
    system.add(vc.constraints.distance("rod", *balls, 0.2, **HELD))
    system.add(vc.Contact("touch", balls, walls=[FLOOR], impact="inelastic", friction=0.3))
    for k in range(40):  # one of these instants comes after a correction
        brake = vc.Impulse(f"brake {k}", "b0", lambda b: vc.Wrench(force=-0.01 * b.velocity), at=0.06 + 1e-3 * k)
        system.add(brake)
    start = {
        "b0": vc.At((0.2, -0.6, 0.1), rate=(0.5, 0, -0.3, 0, 0, 0)),
        "b1": vc.At((0.32, -0.6, 0.26), rate=(0.5, 0, -0.3, 0, 0, 0)),
    }
    motion = run(system, start, until=0.11)
    line = next(line for line in motion.audit().lines if line.law == "impulses as given")
    assert line.verdict == "holds", line
