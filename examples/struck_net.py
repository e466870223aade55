"""A net of ten thousand knots is struck: waves run over it. All knots are one group, and all ropes are one bond over rows of indices."""

from pathlib import Path

import numpy as np

import vinculum as vc

COUNT, PITCH, MASS = 100, 0.01, 1e-3
STIFFNESS, REST = 1000.0, 0.5 * PITCH
TENSION = STIFFNESS * (PITCH - REST)


def net() -> tuple:
    """Knots in a square lattice with ropes to their neighbors, the outer ones to a rigid frame: the system, its knots, where they start."""
    system = vc.System("net")
    knots = system.add_many(vc.MassPoint("knot", mass=MASS), COUNT**2)
    number = np.arange(COUNT**2).reshape(COUNT, COUNT)
    place = PITCH * np.stack([1 + number // COUNT, 1 + number % COUNT, 0 * number], axis=-1).reshape(-1, 3)
    along, across = (number[:-1], number[1:]), (number[:, :-1], number[:, 1:])
    neighbors = np.concatenate([np.stack(pair, axis=-1).reshape(-1, 2) for pair in (along, across)])
    rope = {"stiffness": STIFFNESS, "rest_length": REST}
    system.add(vc.Bonds(vc.Spring("rope", knots, knots, **rope), over=neighbors))
    edges = {"west": (number[0], (-1, 0, 0)), "east": (number[-1], (1, 0, 0)),
             "south": (number[:, 0], (0, -1, 0)), "north": (number[:, -1], (0, 1, 0))}  # fmt: skip
    for side, (edge, to) in edges.items():
        frame = place[edge] + PITCH * np.array(to)
        system.add(vc.Bonds(vc.Spring(side, knots, "ground", **rope), over=edge, numbers={"to": frame}))
    return system, knots, place


def lowest_mode(z: np.ndarray) -> np.ndarray:
    """Amplitudes of the lowest mode in deflections or velocities (…, COUNT, COUNT)."""
    wave = np.sin(np.pi * np.arange(1, COUNT + 1) / (COUNT + 1))
    return 4.0 / (COUNT + 1) ** 2 * np.einsum("...ij,i,j", z, wave, wave)


def main(folder: Path) -> tuple[vc.Motion, float, float]:
    """The waves after a stroke; the lowest mode at the end, next to that of small deflections; the proof; and a picture."""
    import matplotlib.pyplot as plt

    system, knots, place = net()
    stroke = 0.3 * np.exp(-((place - (0.35, 0.4, 0)) ** 2).sum(axis=1) / (2 * 0.03**2))
    start = {knots: vc.At(place, rate=stroke[:, None] * np.array([0, 0, 1.0]))}
    motion = vc.simulate(system, 0.03, start, tolerance=1e-8, grid=[0.01, 0.02, 0.03])
    z = motion.q.reshape(-1, COUNT, COUNT, 3)[..., 2]
    rate = np.sqrt(8 * TENSION / (PITCH * MASS)) * np.sin(np.pi / (2 * (COUNT + 1)))
    found, expected = lowest_mode(z[-1]), lowest_mode(stroke.reshape(COUNT, COUNT)) * np.sin(0.03 * rate) / rate
    print(f"lowest mode {1e6 * found:.2f} µm, that of small deflections {1e6 * expected:.2f} µm")
    print(motion.audit())

    figure, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
    for ax, t, deflection in zip(axes, motion.time, 1000 * z, strict=True):
        ax.imshow(deflection.T, origin="lower", cmap="RdBu_r", vmin=-1, vmax=1, extent=(0, 1, 0, 1))
        ax.set(title=f"t = {1000 * t:.0f} ms", xlabel="x [m]")
    figure.colorbar(axes[0].images[0], ax=axes, label="deflection [mm]")
    figure.savefig(folder / "struck_net.png", dpi=110)
    return motion, float(found), float(expected)


if __name__ == "__main__":
    main(Path.cwd())
