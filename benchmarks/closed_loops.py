"""Planar mechanisms with closed loops over 10 s to an error of 1e-8, next to Exudyn.

The error is that of the first bar's angle at the end, against a run to machine precision. Exudyn: rigid bodies in the plane with
hinges, generalized-α with modified Newton and its own dense solver (its fastest here), no files, as many steps as it needs for 1e-8
or 4·10⁶, or as it gets through the singular positions with.
"""

import time

import numpy as np
from _cases import best, over, peer, report, sized

import vinculum as vc

exu, items = peer("exudyn"), peer("exudyn.itemInterface")
UNTIL, G, WANTED, TARGET = sized(10.0, 0.2), 9.81, 1e-8, 10.0
FINEST = 4_000_000


def four_bar() -> dict:
    """Bars (name, length), hinges (one bar, its point, other bar, its point), angles and the rate of the first bar."""
    crank, coupler, rocker, ground = 1.0, 2.5, 2.0, 2.2
    angle = 1.0
    pin = crank * np.exp(1j * angle)
    line = ground - pin
    above = np.angle(line) + np.arccos((coupler**2 + abs(line) ** 2 - rocker**2) / (2 * coupler * abs(line)))
    last = np.angle(pin + coupler * np.exp(1j * above) - ground)
    return {"name": "four-bar", "bars": [("crank", crank), ("coupler", coupler), ("rocker", rocker)],
            "hinges": [(None, 0.0, "crank", 0.0), ("crank", crank, "coupler", 0.0), (None, ground, "rocker", 0.0),
                       ("coupler", coupler, "rocker", rocker)],
            "angles": {"crank": angle, "coupler": above, "rocker": last}, "rate": 2.0}  # fmt: skip


def windows() -> dict:
    """Two parallelograms in a row, which pass the position where all bars lie on one line (IFToMM A02)."""
    bars, hinges, angles = [("post0", 1.0)], [(None, 0.0, "post0", 0.0)], {"post0": np.pi / 2}
    for i in (1, 2):
        bars += [(f"beam{i}", 1.0), (f"post{i}", 1.0)]
        hinges += [
            (f"post{i - 1}", 1.0, f"beam{i}", 0.0),
            (None, float(i), f"post{i}", 0.0),
            (f"beam{i}", 1.0, f"post{i}", 1.0),
        ]
        angles |= {f"beam{i}": 0.0, f"post{i}": np.pi / 2}
    return {"name": "double four-bar", "bars": bars, "hinges": hinges, "angles": angles, "rate": -1.0}


def in_vinculum(case: dict) -> tuple[vc.System, dict]:
    system = vc.System(case["name"], gravity=(0, -G, 0))
    for name, length in case["bars"]:
        system.add(vc.RigidBody(name, length, (length / 2, 0, 0), (1e-3, length**3 / 12, length**3 / 12)))
    start = {}
    for i, (one, at, other, to) in enumerate(case["hinges"]):
        joint = system.add(vc.Revolute(f"hinge{i}", one or "ground", other, at=(at, 0, 0), to=(to, 0, 0)))
        if other not in {k.child for k in list(system.joints.values())[:-1]}:
            start[joint.name] = case["angles"][other] - case["angles"].get(one, 0.0)
    start["hinge0"] = vc.At(start["hinge0"], rate=case["rate"])
    return system, start


def places(case: dict) -> dict:
    """Mass centres, angles and their rates at the start, from the closed start that Vinculum finds."""
    system, start = in_vinculum(case)
    first = vc.simulate(system, 1e-6, start, grid=2)
    found = {}
    for name, length in case["bars"]:
        center, twist = first.body(name).center[0], first.body(name).twist[0]
        R = first.body(name).rotation[0]
        velocity = R @ (twist[:3] + np.cross(twist[3:], (length / 2, 0, 0)))
        found[name] = (center, np.arctan2(R[1, 0], R[0, 0]), velocity, twist[5])
    return found


def in_exudyn(case: dict, started: dict):
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    bodies, nodes = {}, {}
    for name, length in case["bars"]:
        center, angle, velocity, rate = started[name]
        nodes[name] = mbs.AddNode(items.Rigid2D(referenceCoordinates=[center[0], center[1], angle],
                                          initialVelocities=[velocity[0], velocity[1], rate]))  # fmt: skip
        bodies[name] = mbs.AddObject(
            items.RigidBody2D(physicsMass=length, physicsInertia=length**3 / 12, nodeNumber=nodes[name])
        )
        middle = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=bodies[name], localPosition=[0, 0, 0]))
        mbs.AddLoad(items.Force(markerNumber=middle, loadVector=[0, -G * length, 0]))
    lengths = dict(case["bars"])
    for one, at, other, to in case["hinges"]:
        first = (ground, [at, 0, 0]) if one is None else (bodies[one], [at - lengths[one] / 2, 0, 0])
        second = (bodies[other], [to - lengths[other] / 2, 0, 0])
        markers = [
            mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=place))
            for body, place in (first, second)
        ]
        mbs.AddObject(items.RevoluteJoint2D(markerNumbers=markers))
    mbs.Assemble()
    return container, mbs, nodes


def run_exudyn(case: dict, started: dict, steps: int) -> tuple[float, float]:
    """Seconds and the final angle of the first bar; a new system each time, since a solver changes it."""
    _, mbs, nodes = in_exudyn(case, started)
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = UNTIL
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.timeIntegration.newton.absoluteTolerance = 1e-12
    settings.solution.file.write = False
    settings.linearSolver.solverType = exu.LinearSolverType.EXUdense
    settings.linearSolver.ignoreSingularJacobian = True
    began = time.perf_counter()
    mbs.SolveDynamic(settings)
    spent = time.perf_counter() - began
    name = case["bars"][0][0]
    return spent, started[name][1] + float(mbs.GetNodeOutput(nodes[name], exu.OutputVariableType.Coordinates)[2])


def compare(case: dict) -> dict:
    system, start = in_vinculum(case)
    exact = vc.simulate(system, UNTIL, start, grid=2, progress=False)
    truth = float(exact["hinge0"][-1])
    began = time.perf_counter()
    rough = vc.simulate(system, UNTIL, start, tolerance=1e-10, grid=2, progress=False)
    first = time.perf_counter() - began
    error = abs(float(rough["hinge0"][-1]) - truth)
    ours = best(lambda: vc.simulate(system, UNTIL, start, tolerance=1e-10, grid=2, progress=False), 7)
    steps, seconds, their_error = of_exudyn(case, truth) if exu else (None, None, None)
    return {"mechanism": case["name"], "vinculum ms": 1e3 * ours, "steps": len(rough.record.pieces), "error": error, "compile s": first,
            "exudyn s": seconds, "exudyn steps": steps, "exudyn error": their_error, "ratio": over(seconds, ours),
            "target": TARGET}  # fmt: skip


def of_exudyn(case: dict, truth: float) -> tuple[int, float, float]:
    """Steps, seconds and error of the run that is good enough, or of the best that it gets through."""
    started = places(case)
    steps, measured = 4000, []
    while steps <= FINEST:
        try:
            seconds, angle = run_exudyn(case, started, steps)
        except exu.SolverError:
            break  # its Newton iterations do not always survive the singular positions; what it reached before counts
        measured.append((steps, seconds, abs(angle - truth)))
        if measured[-1][2] <= WANTED:
            break
        steps = int(steps * min(10.0, max(2.0, 1.2 * np.sqrt(measured[-1][2] / WANTED))))
    return measured[-1]


def main() -> None:
    report("closed_loops", [compare(case()) for case in sized((four_bar, windows), (four_bar,))])


if __name__ == "__main__":
    main()
