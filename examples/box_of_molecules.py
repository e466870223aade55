"""Two hundred rigid molecules of water in a box: three charges each, and a Lennard-Jones site. Pairs interact within a cutoff.

Units are nm, ps, u and kJ/mol. The charges are those of SPC/E: Berendsen, Grigera and Straatsma, J. Phys. Chem. 91 (1987) 6269.
"""

from pathlib import Path

import numpy as np

import vinculum as vc

CHARGES, COULOMB, DEPTH, SIZE = (-0.8476, 0.4238, 0.4238), 138.935, 0.650, 0.3166
HALF = np.radians(109.47) / 2
SITES = np.array([(0, 0, 0), (0.1 * np.sin(HALF), 0, 0.1 * np.cos(HALF)), (-0.1 * np.sin(HALF), 0, 0.1 * np.cos(HALF))])
MASSES = np.array([15.9994, 1.008, 1.008])
PITCH, CUTOFF, FADE = 0.36, 0.9, 0.75


def interaction(a, b):
    """Energy of two molecules: nine pairs of charges, and the Lennard-Jones energy of the oxygens."""
    d = a.position - b.position
    sixth = (SIZE * SIZE / vc.math.dot(d, d)) ** 3
    energy = 4 * DEPTH * (sixth * sixth - sixth)
    ends = [a.point(p) for p in SITES], [b.point(p) for p in SITES]
    for q, x in zip(CHARGES, ends[0], strict=True):
        for p, y in zip(CHARGES, ends[1], strict=True):
            energy += COULOMB * q * p / vc.math.norm(x - y)
    return energy


def box(count: int) -> tuple[vc.System, dict]:
    """Molecules on a lattice, turned at random, between soft walls; and their start."""
    com = MASSES @ SITES / MASSES.sum()
    arms = SITES - com
    inertia = [float(MASSES @ (arms**2).sum(axis=1) - MASSES @ arms[:, k] ** 2) for k in range(3)]
    side = int(np.ceil(count ** (1 / 3)))
    wall = 0.5 * PITCH * side + 0.1
    system = vc.System("water")
    molecules = system.add_many(vc.RigidBody("molecule", MASSES.sum(), com, inertia), count)
    system.add(vc.Bonds(vc.Potential("pair", [molecules, molecules], interaction), cutoff=CUTOFF, fade=FADE))
    soft = vc.Potential("wall", [molecules], lambda m: sum((m.position[k] / wall) ** 12 for k in range(3)))
    system.add(vc.Bonds(soft, over=np.arange(count)))
    rng = np.random.default_rng(1)
    cells = np.stack(np.unravel_index(np.arange(count), (side,) * 3), axis=1)
    turns = rng.normal(size=(count, 4))
    place = np.concatenate([PITCH * (cells - 0.5 * (side - 1)), turns / np.linalg.norm(turns, axis=1)[:, None]], axis=1)
    return system, {molecules: vc.At(place, rate=np.zeros((count, 6)))}


def main(folder: Path, count: int = 216, until: float = 0.01) -> tuple[vc.Motion, float]:
    """The motion of the molecules, and the drift of its energy relative to the change of the pairs' energy."""
    import matplotlib.pyplot as plt

    system, start = box(count)
    motion = vc.simulate(system, until, start, tolerance=1e-8, grid=9)
    bound = motion.bond("pair").energy
    drift = float(np.ptp(motion.energy) / np.ptp(bound))
    print(f"{count} molecules, drift of the energy {drift:.1e}, relative to the change of the pairs' energy")
    print(motion.audit())
    x = motion.q[-1].reshape(count, 7)[:, :3]
    speed = np.linalg.norm(motion.v[-1].reshape(count, 6)[:, :3], axis=1)
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    seen = np.abs(x[:, 2]) < PITCH
    dots = axes[0].scatter(x[seen, 0], x[seen, 1], c=speed[seen], s=40, cmap="viridis")
    axes[0].set(xlabel="x [nm]", ylabel="y [nm]", aspect="equal", title=f"t = {1000 * until:.0f} fs, the middle layers")
    figure.colorbar(dots, ax=axes[0], label="speed [nm/ps]")
    for energy, label in ((bound, "of pairs"), (motion.energy, "in all")):
        axes[1].plot(1000 * motion.time, (energy - energy[0]) / count, label=label)
    axes[1].set(xlabel="t [fs]", ylabel="change of energy per molecule [kJ/mol]")
    axes[1].legend()
    figure.savefig(folder / "box_of_molecules.png", dpi=110)
    return motion, drift


if __name__ == "__main__":
    main(Path.cwd())
