"""A hundred three-joint legs that fall on a height field, next to MuJoCo with elliptic cones on the same cores.

A leg is a free trunk (a sphere) with hip, knee and ankle, three hinges with damping; its links are capsules and its foot a sphere. They
fall from 5 cm above the ground, fold and come to rest. Here they are blocks over tables; MuJoCo gets the same bodies, as one model by
Newton's method with the Jacobian that it chooses, in its two usual settings of contact. Each engine states its own gaps.
"""

import time

import numpy as np
from _cases import peer, report, sized

import vinculum as vc

mujoco = peer("mujoco")
COUNT, STEP, UNTIL, TARGET = sized(100, 70), 2e-3, sized(0.5, 4e-3), 2.0
MU, DAMPING, PITCH, SPACING = 0.6, 0.3, 0.8, 0.2
DENSITY, TRUNK, RADIUS, FOOT, LENGTH = 1000.0, 0.1, 0.03, 0.05, 0.25
AXES = ((1, 0, 0), (0, 1, 0), (0, 1, 0))
BEGUN = (0.2, 0.6, -1.0)
"""Angles of the hinges at the start."""
RESIDUALS = sized((1e-4, 1e-6), (1e-4,))


def ground() -> np.ndarray:
    """Heights of waves of ±4 cm [m]."""
    side = int(np.ceil(np.sqrt(COUNT)) * PITCH / SPACING) + 9
    x = SPACING * np.arange(side)
    return 0.04 * (np.sin(1.7 * x)[:, None] + np.cos(1.3 * x)[None]) * 0.5


def trunks() -> np.ndarray:
    """Where the trunks start (COUNT, 3): the lowest part of a leg some centimeters above the highest wave."""
    side = int(np.ceil(np.sqrt(COUNT)))
    i, j = np.divmod(np.arange(COUNT), side)
    return np.stack([PITCH * i + 1.0, PITCH * j + 1.0, np.full(COUNT, 0.04 + 0.05 + 3 * LENGTH)], axis=1)


def scene() -> tuple[vc.System, dict]:
    """The legs as a system, and their start."""
    system, start, bodies = vc.System("legs", gravity=(0, 0, -9.81)), {}, []
    half = 0.5 * LENGTH
    for k, place in enumerate(trunks()):
        parent = system.add(vc.RigidBody.solid(f"trunk {k}", vc.shapes.Sphere(TRUNK), density=DENSITY))
        bodies.append(parent)
        start[f"trunk {k}"] = tuple(place)
        for link, axis in enumerate(AXES):
            shape = vc.shapes.Sphere(FOOT) if link == 2 else vc.shapes.Capsule(RADIUS, LENGTH - 2 * RADIUS)
            body = system.add(vc.RigidBody.solid(f"link {k} {link}", shape, density=DENSITY))
            at = (0, 0, 0) if link == 0 else (0, 0, -half)
            system.add(vc.Revolute(f"hinge {k} {link}", parent, body, axis=axis, at=at,
                                   to=(0, 0, half), damping=DAMPING))  # fmt: skip
            start[f"hinge {k} {link}"] = BEGUN[link]
            bodies.append(body)
            parent = body
    field = vc.shapes.HeightField(ground(), SPACING)
    system.add(vc.Contact("contact", bodies, walls=[field], impact="inelastic", friction=MU))
    return system, start


def ours(tolerance: float) -> dict:
    """One row; the time is that of a run after one that compiles."""
    system, start = scene()

    def run(until: float) -> tuple[vc.Motion, float, float]:
        began, used = time.perf_counter(), time.process_time()
        motion = vc.simulate(system, until, start, step=STEP, tolerance=tolerance, grid=2, progress=False)
        return motion, time.perf_counter() - began, time.process_time() - used

    run(UNTIL)
    _, *short = run(4 * STEP)
    motion, wall, cpu = run(UNTIL)
    solver, span = motion.record.contact_solver, UNTIL - 4 * STEP * (UNTIL > 4 * STEP)
    long = UNTIL > 4 * STEP
    return {"engine": "Vinculum", "setting": f"residual {tolerance:g}", "s per s": (wall - long * short[0]) / span,
            "CPU s per s": (cpu - long * short[1]) / span, "contacts": float(solver.contacts[-1]),
            "deepest mm": 1e3 * float(solver.penetration.max()), "worst residual": float(solver.residual.max()),
            "iterations a step": float(solver.sweeps.mean())}  # fmt: skip


def in_mjcf(contact: str) -> str:
    """The legs as MuJoCo's XML. Its hinge is at the origin of the child; a height field is centered and begins at zero."""
    heights, half = ground(), 0.5 * LENGTH
    nx, ny = heights.shape
    low, high = heights.min(), heights.max()
    size = f"{0.5 * SPACING * (nx - 1)} {0.5 * SPACING * (ny - 1)} {high - low} 0.5"
    at = f"{0.5 * SPACING * (nx - 1)} {0.5 * SPACING * (ny - 1)} {low}"
    elevation = " ".join(f"{h:.12g}" for h in ((heights - low) / (high - low)).T.ravel())
    rod, inner = f'type="capsule" size="{RADIUS} {half - RADIUS}"', "{}"
    legs = []
    for place in trunks():
        text = "{}"
        for link, axis in enumerate(AXES):
            geom = f'type="sphere" size="{FOOT}"' if link == 2 else rod
            where = (0, 0, 0) if link == 0 else (0, 0, -LENGTH)
            text = text.replace("{}", (
                f'<body pos="{where[0]} {where[1]} {where[2]}"><joint type="hinge" axis="{axis[0]} {axis[1]} {axis[2]}" '
                f'damping="{DAMPING}"/><geom {geom} pos="0 0 {-half}"/>{inner}</body>'))  # fmt: skip
        legs.append(f'<body pos="{place[0]} {place[1]} {place[2]}"><freejoint/><geom type="sphere" size="{TRUNK}"/>'
                    + text.replace("{}", "") + "</body>")  # fmt: skip
    return (
        f'<mujoco><option timestep="{STEP}" gravity="0 0 -9.81" cone="elliptic" solver="Newton" tolerance="1e-8"/>'
        f'<default><geom density="{DENSITY}" friction="{MU} 0 0" condim="3" {contact}/></default>'
        f'<asset><hfield name="ground" nrow="{ny}" ncol="{nx}" size="{size}" elevation="{elevation}"/></asset><worldbody>'
        f'<geom type="hfield" hfield="ground" pos="{at}"/>{"".join(legs)}</worldbody></mujoco>'
    )


def theirs(setting: str, contact: str) -> dict:
    model = mujoco.MjModel.from_xml_string(in_mjcf(contact))
    data = mujoco.MjData(model)
    for link, angle in enumerate(BEGUN):
        data.qpos.reshape(COUNT, 10)[:, 7 + link] = angle
    deepest, iterations = 0.0, []
    wall = cpu = 0.0
    for _ in range(round(UNTIL / STEP)):
        began, used = time.perf_counter(), time.process_time()
        mujoco.mj_step(model, data)
        wall, cpu = wall + time.perf_counter() - began, cpu + time.process_time() - used
        deepest = max(deepest, -float(data.contact.dist.min(initial=0.0)))
        iterations.append(int(data.solver_niter.sum()))
    return {"engine": "MuJoCo", "setting": setting, "s per s": wall / UNTIL, "CPU s per s": cpu / UNTIL,
            "contacts": float(data.ncon), "deepest mm": 1e3 * deepest, "worst residual": None,
            "iterations a step": float(np.mean(iterations))}  # fmt: skip


def main() -> None:
    rows = [ours(tolerance) for tolerance in RESIDUALS]
    if mujoco:
        stiff = f'solref="{2 * STEP} 1" solimp="0.99 0.9999 0.001 0.5 2"'
        rows += [theirs("elliptic, Newton, default contact", ""), theirs("elliptic, Newton, stiff contact", stiff)]
    fastest = min((row["CPU s per s"] for row in rows if row["engine"] == "MuJoCo"), default=None)
    for row in rows:
        mine = row["engine"] == "Vinculum" and fastest is not None
        row |= {
            "times as fast, CPU": fastest / row["CPU s per s"] if mine else None,
            "target": TARGET if mine else None,
        }
    report("legs", rows)


if __name__ == "__main__":
    main()
