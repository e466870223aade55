"""Cubes in contact: affine ones of a stated stiffness next to rigid ones, in time steps of equal length.

Stacks of four cubes of 1 kg and 0.2 m stand on a rough floor and sink into it: a neo-Hookean material of the shear modulus `SHEAR` with a
viscosity. Rigid cubes run as free bodies in contact, in a loop of their own; affine ones run as `vc.simulate` chooses. A number
of cubes that is refused has no time, and the last column says why.
"""

import numpy as np
from _cases import best, report, sized

import vinculum as vc

COUNTS, STEPS, STEP, TARGET = sized((2, 4, 16, 50, 2000), (2,)), sized((20, 120), (1, 3)), 1e-3, 3.0
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


def stacks(cube, count: int) -> tuple[vc.System, dict]:
    """Stacks of cubes that touch, one and a half edges apart, and where they start."""
    system = vc.System("cubes", gravity=(0, 0, -9.81))
    cubes = [system.add(cube(f"cube {i}")) for i in range(count)]
    system.add(vc.Contact("touch", cubes, walls=vc.shapes.HalfSpace((0, 0, 1)), impact="inelastic", friction=0.5))
    side = int(np.ceil(np.sqrt(count / HEIGHT)))
    start = {}
    for i in range(count):
        stack, level = divmod(i, HEIGHT)
        row, column = divmod(stack, side)
        start[f"cube {i}"] = (1.5 * EDGE * row, 1.5 * EDGE * column, (level + 0.5) * EDGE)
    return system, start


def milliseconds(cube, count: int) -> tuple[float | None, str]:
    """The time of a step [ms], from the shortest times of a short and a long run, after one that compiles; or why there is none."""
    system, start = stacks(cube, count)

    def run(steps: int) -> None:
        vc.simulate(system, steps * STEP, start, method="moreau", step=STEP, grid=2, progress=False)

    few, many = STEPS
    try:
        run(few)
    except vc.errors.ModelError as refused:
        return None, str(refused)
    short, long = best(lambda: run(few), 3), best(lambda: run(many), 3)
    return 1e3 * (long - short) / (many - few), ""


def compare(count: int) -> dict:
    rigid, _ = milliseconds(rigid_cube, count)
    soft, refused = milliseconds(soft_cube, count)
    ratio = None if rigid is None or soft is None else soft / rigid
    return {"cubes": count, "rigid ms": rigid, "affine ms": soft, "affine over rigid": ratio, "at most": TARGET,
            "shear modulus [Pa]": SHEAR, "refused": refused or None}  # fmt: skip


def main() -> None:
    report("soft_cubes", [compare(count) for count in COUNTS])


if __name__ == "__main__":
    main()
