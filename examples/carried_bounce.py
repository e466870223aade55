"""Hamilton's principle with an impact: carriers move the curve of a bouncing ball, and its action changes at the rate of the impulse."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import vinculum as vc

MASS, G, HEIGHT = 1.3, 9.81, 1.0
FIRST = np.sqrt(2 * HEIGHT / G)
SUPPORT = (FIRST - 0.3, FIRST + 0.3)


def bouncing_ball(until: float = 0.9) -> vc.Motion:
    """A ball dropped from 1 m, with an elastic impact."""
    system = vc.System("ball", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("ball", MASS))
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Elastic()))
    return vc.simulate(system, until, {"ball": (0, 0, HEIGHT)}, progress=False)


def carried_actions(taus: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Points (t, z) of the carried curves, and ½ ∫ g : dC_τ − ∫ U dθ_τ on them. The carrier lowers the ball around the impact."""
    metric = vc.geometry.Metric("time and height", ["time", "z"], lambda: [[1.0, 0.0], [0.0, MASS]])
    down = vc.geometry.Carrier(metric, lambda: (0.0, -1.0), support=[SUPPORT, None])
    fall = vc.geometry.TensorMeasure.curve(lambda s: (s, HEIGHT - G * s**2 / 2), 0.0, FIRST, panels=8)
    rise = vc.geometry.TensorMeasure.curve(
        lambda s: (FIRST + s, G * FIRST * s - G * s**2 / 2), 0.0, 0.9 - FIRST, panels=8
    )
    C = fall + rise
    dt = C.tensors[:, 0, 0]
    moved = [down.convect_measure(C, tau) for tau in taus]
    actions = [0.5 * one.pair(metric) - 0.5 * dt.sum() - MASS * G * dt @ one.points[:, 1] for one in moved]
    return [one.points for one in moved], np.array(actions)


def main(folder: Path) -> tuple[float, vc.Motion]:
    """The rate of the action of the simulated ball under the carrier, against that of the carried measures."""
    motion = bouncing_ball()
    rate = vc.geometry.action_rate(motion, lambda t: (0.0, 0.0, -1.0), support=SUPPORT)
    print(f"d(action)/dτ = {rate.by_transport:.6f} by transport, {rate.by_forces:.6f} by the impulse 2 m v")
    print(vc.geometry.audit_action(motion))
    taus = np.linspace(-0.25, 0.25, 41)
    places, actions = carried_actions(taus)

    figure = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    for k in range(0, len(taus), 5):
        inside = taus[k] > 0.0
        color, width = ("black", 2.0) if k == 20 else ("tab:red" if inside else "tab:blue", 0.9)
        left.plot(*places[k].T, color=color, lw=width)
    left.axhspan(-0.3, 0.0, color="0.92")
    left.set(xlabel="t [s]", ylabel="z [m]", ylim=(-0.3, 1.05), title="the curve of a bounce, carried in and out")
    right.plot(taus, actions - actions[20], color="black", label="change of the action")
    right.plot(taus, rate.by_forces * taus, "--", color="tab:orange", label="−⟨R, η⟩ τ, by the impulse")
    right.set(
        xlabel="τ [m]", ylabel="change of ∫ (T − U) dt [J s]", title="its action: ≥ 0 at first for outward carriers"
    )
    right.legend()
    figure.savefig(folder / "carried_bounce.png", dpi=120)
    return rate.by_transport, motion


if __name__ == "__main__":
    main(Path.cwd())
