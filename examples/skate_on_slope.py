"""A skate let go on a slope while it turns: by d'Alembert it draws a cycloid and never gets lower, by the vakonomic principle it does."""

from pathlib import Path

import numpy as np

import vinculum as vc

SLOPE, SPIN = 0.2, 2.0


def skate(realization) -> vc.System:
    """A blade below its mass center on a plane that falls along x."""
    system = vc.System("skate on a slope", gravity=(9.81 * np.sin(SLOPE), 0, -9.81 * np.cos(SLOPE)))
    body = system.add(vc.RigidBody.solid("skate", vc.shapes.Box((0.3, 0.04, 0.08)), mass=1.0))
    system.add(vc.Planar("ice", "ground", body))
    system.add(vc.constraints.knife_edge("blade", body, side=(0, 1, 0), realization=realization))
    return system


def main(folder: Path) -> tuple[vc.Motion, vc.Motion]:
    """Both motions from one start, their certificates, and their paths next to each other."""
    start = {"ice": vc.At((0, 0, 0), rate=(0, 0, SPIN))}
    ideal, vakonomic = (vc.simulate(skate(one), 5.0, start) for one in (vc.DAlembert(), vc.Vakonomic(multipliers=0.0)))
    print(ideal.audit(), vakonomic.audit(), sep="\n")
    ideal.plot("skate", kind="path", beside={"vakonomic": vakonomic}, path=folder / "skate_on_slope.png")
    return ideal, vakonomic


if __name__ == "__main__":
    main(Path.cwd())
