"""Cubes in contact: affine ones of a stated stiffness next to rigid ones, in time steps of equal length.

Stacks of four cubes of 1 kg and 0.2 m on a rough floor: a neo-Hookean material of the shear modulus `SHEAR` with a viscosity. They fall
some millimeters with random velocities, turn, hit each other and slide; or they begin at rest. Then affine ones sink and swing, and
rigid ones take no sweep after the first step, as rest is an exact solution there. Both take steps of equal length without located
impacts. Rigid cubes run as free bodies in contact, in a loop of their own; affine ones run as `vc.simulate` chooses.
"""

import numpy as np
from _cases import best, report, sized

import vinculum as vc

CASES = sized(((16, "moving"), (50, "moving"), (2000, "moving"), (16, "at rest"), (2000, "at rest")), ((2, "moving"),))
STEPS, STEP, TARGET = sized((20, 120), (1, 3)), 1e-3, 3.0
DROP, SPEED, SPIN = 4e-3, 0.3, 1.0
"""Gaps below falling cubes [m], and their largest velocities [m/s] and spins [rad/s] along an axis."""
EDGE, HEIGHT, MASS, SHEAR, LAME, VISCOSITY = 0.2, 4, 1.0, 2e4, 4e4, 50.0


def rigid_cube(name: str):
    return vc.RigidBody.solid(name, vc.shapes.Box((EDGE,) * 3), mass=MASS)


def soft_cube(name: str):
    """An affine cube; its stiffest vibration turns by less than a radian in a step."""
    volume = EDGE**3
    return vc.AffineBody.solid(
        name,
        vc.shapes.Box((EDGE,) * 3),
        mass=MASS,
        energy=vc.energies.NeoHookean(volume, SHEAR, LAME),
        dissipation=vc.energies.NewtonianViscosity(volume, VISCOSITY),
    )


def stacks(cube, count: int, scene: str = "at rest") -> tuple[vc.System, dict]:
    """Stacks of cubes, one and a half edges apart, and how they start."""
    system = vc.System("cubes", gravity=(0, 0, -9.81))
    cubes = [system.add(cube(f"cube {i}")) for i in range(count)]
    system.add(vc.Contact("touch", cubes, walls=vc.shapes.HalfSpace((0, 0, 1)), impact="inelastic", friction=0.5))
    side, rng, moves = int(np.ceil(np.sqrt(count / HEIGHT))), np.random.default_rng(3), scene == "moving"
    start = {}
    for i in range(count):
        stack, level = divmod(i, HEIGHT)
        row, column = divmod(stack, side)
        v, (x, y, z) = rng.uniform(-SPEED, SPEED, 3), rng.uniform(-SPIN, SPIN, 3)
        spin = [x, y, z] if cube is rigid_cube else [0.0, -z, y, z, 0.0, -x, -y, x, 0.0]
        up = (level + 0.5) * EDGE + moves * DROP * (level + 1)
        start[f"cube {i}"] = vc.At((1.5 * EDGE * row, 1.5 * EDGE * column, up), rate=moves * np.array([*v, *spin]))
    return system, start


def milliseconds(cube, count: int, scene: str) -> tuple[float, float]:
    """The time of a step [ms], from the shortest times of a short and a long run, after one that compiles; and sweeps of a step."""
    system, start = stacks(cube, count, scene)

    def run(steps: int) -> vc.Motion:
        return vc.simulate(
            system, steps * STEP, start, method="moreau", step=STEP, impacts="stepped", grid=2, progress=False
        )

    few, many = STEPS
    sweeps = float(run(many).record.contact_solver.sweeps.mean())
    short, long = best(lambda: run(few), 3), best(lambda: run(many), 3)
    return 1e3 * (long - short) / (many - few), sweeps


def compare(count: int, scene: str) -> dict:
    (rigid, hard), (soft, loose) = milliseconds(rigid_cube, count, scene), milliseconds(soft_cube, count, scene)
    return {"cubes": count, "scene": scene, "rigid ms": rigid, "sweeps": hard, "affine ms": soft, "sweeps of affine": loose,
            "affine over rigid": soft / rigid, "at most": TARGET if scene == "moving" else None,
            "shear modulus [Pa]": SHEAR}  # fmt: skip


def main() -> None:
    report("soft_cubes", [compare(count, scene) for count, scene in CASES])


if __name__ == "__main__":
    main()
