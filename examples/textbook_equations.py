"""The equations of a double pendulum: as a book prints them, as numbers, and as C."""

import tempfile
from pathlib import Path

import numpy as np

import vinculum as vc


def double_pendulum() -> vc.System:
    """Two point masses on massless rods, all numbers letters."""
    m1, m2 = vc.parameter("m1", 1.1), vc.parameter("m2", 0.7)
    l1, l2, g = vc.parameter("l1", 1.3), vc.parameter("l2", 0.8), vc.parameter("g", 9.81)
    system = vc.System("double pendulum", gravity=(0, -1 * g, 0))
    first, second = system.add(vc.MassPoint("first", m1)), system.add(vc.MassPoint("second", m2))
    system.add(vc.Revolute("theta1", "ground", first, to=(0, l1, 0)))
    system.add(vc.Revolute("theta2", first, second, to=(0, l2, 0)))
    return system


def main(folder: Path) -> tuple[np.ndarray, vc.Motion]:
    """Accelerations of the two angles against the vertical at one state, and the motion from there."""
    system = double_pendulum()
    equations = vc.derive(system, coordinates=lambda theta1, theta2: {"theta1": theta1, "theta2": theta2 - theta1})
    print(equations.latex())
    print(vc.derive(system, "hamilton").latex())

    q, v = np.array([0.4, -0.9]), np.array([0.7, 1.1])
    print("mass matrix:", equations.mass_matrix(q).round(6).tolist())
    print("accelerations:", equations.accelerations(q, v).round(8).tolist())
    states = np.random.default_rng(0).normal(size=(1000, 2))
    print("a thousand states:", equations.accelerations(states, states).shape)
    print("operations:", equations.code.count_operations())

    source, header = equations.code.c99(folder / "double_pendulum.c")
    print("written:", source.name, header.name)
    start = {"theta1": vc.At(q[0], rate=v[0]), "theta2": vc.At(q[1] - q[0], rate=v[1] - v[0])}
    return equations.accelerations(q, v), vc.simulate(system, until=8.0, start=start)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder))
