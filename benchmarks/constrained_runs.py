"""Nonholonomic systems over 100 s to an error of 1e-10: a rolling disc, Chaplygin's sleigh and a snakeboard, next to SymPy and SciPy.

The peer: equations of SymPy's KanesMethod in the fewest speeds, in SciPy's `solve_ivp` with the loosest tolerance that stays within the
error, in two ways. As its documentation does it: matrix and forcing lambdified with shared subexpressions, `numpy.linalg.solve` at
every call, DOP853. Tuned: the rates solved for symbolically, lambdified to plain floats and the standard library's functions, by
LSODA or DOP853, whichever is quicker. The error is that of place and heading at the end, against the same equations by Taylor
series in quadruple precision.
"""

import math
import time
from functools import partial

import heyoka as hy
import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from _cases import report, sized
from scipy.integrate import solve_ivp

import vinculum as vc

UNTIL, WANTED, TARGET, SERIES, G = sized(100.0, 0.2), 1e-10, 20.0, sized(0.05, 0.0), 9.81
T = me.dynamicsymbols._t
TOLERANCES = (1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 3e-14)


def disc() -> dict:
    """A thin disc, wobbling as it rolls: yaw, lean and spin; angular velocity in the axes that lean but do not spin."""
    m, r, angles, rates = 1.3, 0.4, (0.3, 0.25, 0.1), (0.7, -0.4, 5.0)
    thin = np.array([0.25, 0.5, 0.25]) * m * r**2
    system = vc.System("rolling disc", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody("body", m, inertia=thin))
    system.add(vc.constraints.Rolling.disc("rolling", body, r, axis=(0, 1, 0), realization=vc.DAlembert()))
    spun, leaning = _turned(*angles), _turned(*angles[:2], 0.0)
    w = rates[0] * np.array([0, 0, 1]) + rates[1] * leaning[:, 0] + rates[2] * leaning[:, 1]
    center = r * leaning[:, 2]
    start = {"body": vc.At(vc.Pose(center, spun), rate=(*(spun.T @ np.cross(w, center)), *(spun.T @ w)))}

    q, u = me.dynamicsymbols("q1:4"), me.dynamicsymbols("u1:4")
    x, y = me.dynamicsymbols("x y")
    N = me.ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q[0], N.z])
    L = Y.orientnew("L", "Axis", [q[1], Y.x])
    R = L.orientnew("R", "Axis", [q[2], L.y])
    kinematic = [
        a - b for a, b in zip((R.ang_vel_in(N) & L.x, R.ang_vel_in(N) & L.y, R.ang_vel_in(N) & L.z), u, strict=True)
    ]
    rates_of = sm.solve(kinematic, [one.diff(T) for one in q])
    L.set_ang_vel(N, L.ang_vel_in(N).subs(rates_of))
    R.set_ang_vel(N, u[0] * L.x + u[1] * L.y + u[2] * L.z)
    point = me.Point("C")
    point.set_vel(N, 0 * N.x)
    middle = point.locatenew("M", r * L.z)
    middle.set_vel(N, me.cross(R.ang_vel_in(N), r * L.z))
    inertia = me.inertia(L, *map(sm.Rational, map(str, thin)))
    wheel = me.RigidBody("wheel", middle, R, m, (inertia, middle))
    kane = me.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kinematic)
    kane.kanes_equations([wheel], [(middle, -m * G * N.z)])
    along = {x: middle.vel(N) & N.x, y: middle.vel(N) & N.y}
    first = {
        **dict(zip(q, angles, strict=True)),
        **dict(zip(u, leaning.T @ w, strict=True)),
        x: center[0],
        y: center[1],
    }
    peer = _peer(kane, along, first)

    def ours(motion):
        a = motion.body("body").rotation[-1][:, 1]
        return np.array([*motion.body("body").position[-1, :2], *a])

    def theirs(found):
        a = _turned(*(float(found[one]) for one in q))[:, 1]
        return np.array([float(found[x]), float(found[y]), *a])

    return {"name": "rolling disc", "system": system, "start": start, "ours": ours, "peer": peer, "theirs": theirs}


def sleigh() -> dict:
    """Chaplygin's sleigh pushed off backwards: it turns round and runs out straight."""
    m, a, J, heading, speed, turn = 2.0, 0.3, 0.5, 0.3, -1.0, 0.01
    system = vc.System("Chaplygin's sleigh")
    body = system.add(vc.RigidBody("body", m, com=(a, 0, 0), inertia=(1, 1, J)))
    system.add(vc.Planar("ice", "ground", body))
    system.add(vc.constraints.knife_edge("blade", body, side=(0, 1, 0), realization=vc.DAlembert()))
    ahead = np.array([np.cos(heading), np.sin(heading)])
    start = {"ice": vc.At((0, 0, heading), rate=(*(speed * ahead), turn))}

    x, y, h = me.dynamicsymbols("x y h")
    u, w = me.dynamicsymbols("u w")
    N = me.ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [h, N.z])
    kinematic = [x.diff(T) - u * sm.cos(h), y.diff(T) - u * sm.sin(h), h.diff(T) - w]
    B.set_ang_vel(N, w * N.z)
    blade = me.Point("P")
    blade.set_vel(N, u * B.x)
    center = blade.locatenew("C", a * B.x)
    center.v2pt_theory(blade, N, B)
    rigid = me.RigidBody("body", center, B, m, (me.inertia(B, 0, 0, J), center))
    kane = me.KanesMethod(N, q_ind=[x, y, h], u_ind=[u, w], kd_eqs=kinematic)
    kane.kanes_equations([rigid], [])
    peer = _peer(kane, {}, {x: 0.0, y: 0.0, h: heading, u: speed, w: turn})
    return {"name": "Chaplygin's sleigh", "system": system, "start": start, "ours": lambda motion: motion.q[-1],
            "peer": peer, "theirs": lambda found: np.array([float(found[one]) for one in (x, y, h)])}  # fmt: skip


def snakeboard() -> dict:
    """A board with a turning torso and two pairs of wheels that steer, all driven: it goes ahead by wriggling."""
    half, masses, moments = 0.2, (6.0, 1.0, 0.5, 0.5), (0.016, 0.072, 0.0013, 0.0013)
    torso_stiffness, stiffness, damping, twist, steer = 0.1, 0.02, 0.02, 0.15, 0.006
    system = vc.System("snakeboard")
    board = system.add(vc.RigidBody("board", masses[0], inertia=(0.1, 0.1, moments[0])))
    torso = system.add(vc.RigidBody("torso", masses[1], inertia=(0.1, 0.1, moments[1])))
    system.add(vc.Planar("floor", "ground", board))
    system.add(vc.Revolute("hip", board, torso, stiffness=torso_stiffness, drive=lambda t: twist * vc.math.cos(t)))
    for name, sign, mass, moment in (("front", 1, masses[2], moments[2]), ("back", -1, masses[3], moments[3])):
        truck = system.add(vc.RigidBody(name, mass, inertia=(0.01, 0.01, moment)))
        system.add(vc.Revolute(f"{name} truck", board, truck, at=(sign * half, 0, 0), stiffness=stiffness, damping=damping,
                               drive=lambda t, sign=sign: sign * steer * vc.math.cos(t)))  # fmt: skip
        system.add(vc.constraints.knife_edge(f"{name} wheels", truck, side=(0, 1, 0), realization=vc.DAlembert()))
    start = {"floor": vc.At((0, 0, 0), rate=(0.3, 0, 0))}

    x, y, h, p, f, b = q = me.dynamicsymbols("x y h p f b")
    u, s, w, wp, wf, wb = me.dynamicsymbols("u s w wp wf wb")
    N = me.ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [h, N.z])
    B.set_ang_vel(N, w * N.z)
    kinematic = [x.diff(T) - u * sm.cos(h) + s * sm.sin(h), y.diff(T) - u * sm.sin(h) - s * sm.cos(h),
                 h.diff(T) - w, p.diff(T) - wp, f.diff(T) - wf, b.diff(T) - wb]  # fmt: skip
    middle = me.Point("M")
    middle.set_vel(N, u * B.x + s * B.y)
    bodies, loads, conditions = [], [], []
    bodies.append(me.RigidBody("board", middle, B, masses[0], (me.inertia(B, 0, 0, moments[0]), middle)))
    parts = (("torso", p, wp, 0.0, torso_stiffness, 0.0, twist), ("front", f, wf, half, stiffness, damping, steer),
             ("back", b, wb, -half, stiffness, damping, -steer))  # fmt: skip
    for i, (name, angle, rate, place, k, c, push) in enumerate(parts, 1):
        frame = B.orientnew(name, "Axis", [angle, B.z])
        frame.set_ang_vel(B, rate * B.z)
        point = middle.locatenew(name, place * B.x)
        point.v2pt_theory(middle, N, B)
        bodies.append(me.RigidBody(name, point, frame, masses[i], (me.inertia(frame, 0, 0, moments[i]), point)))
        torque = (push * sm.cos(T) - k * angle - c * rate) * N.z
        loads += [(frame, torque), (B, -torque)]
        if place:
            conditions.append(me.dot(point.vel(N), frame.y))
    kane = me.KanesMethod(N, q_ind=list(q), u_ind=[u, wp, wf, wb], kd_eqs=kinematic, u_dependent=[s, w],
                          velocity_constraints=conditions)  # fmt: skip
    kane.kanes_equations(bodies, loads)
    peer = _peer(kane, {}, dict.fromkeys((*q, s, w, wp, wf, wb), 0.0) | {u: 0.3})
    return {"name": "snakeboard", "system": system, "start": start, "max_step": 1.0, "peer": peer,
            "ours": lambda motion: np.array([*motion.q[-1, :3]]),
            "theirs": lambda found: np.array([float(found[one]) for one in (x, y, h)])}  # fmt: skip


def _turned(yaw, lean, spin) -> np.ndarray:
    (a, b), (c, s), (d, e) = ((math.cos(x), math.sin(x)) for x in (yaw, lean, spin))
    return (
        np.array([[a, -b, 0], [b, a, 0], [0, 0, 1]])
        @ [[1, 0, 0], [0, c, -s], [0, s, c]]
        @ [[d, 0, e], [0, 1, 0], [-e, 0, d]]
    )


def _peer(kane, extra: dict, first: dict) -> dict:
    """States, their rates as one list of formulas or with a matrix to solve, and the start."""
    q, u = list(kane.q), list(kane.u)
    rates = kane.kindiffdict()
    q_dot = [rates[one.diff(T)] for one in q]
    M, f = kane.mass_matrix, kane.forcing
    states = [*q, *extra, *u]
    plain = {one: sm.Symbol(f"s{i}") for i, one in enumerate(states)}
    clock = sm.Symbol("t")

    def free(expressions):
        return [sm.sympify(e).subs(plain).subs(T, clock) for e in expressions]

    symbolic = [*q_dot, *extra.values(), *M.LUsolve(f)]
    given = [*plain.values(), clock]
    explicit = sm.lambdify([given], free(symbolic), modules="math", cse=True)
    implicit = sm.lambdify([given], [free([*q_dot, *extra.values()]), sm.Matrix(len(u), len(u), free(M)), sm.Matrix(free(f))],
                           cse=True)  # fmt: skip

    def by_formula(t, y):
        return explicit([*y.tolist(), t])

    def by_matrix(t, y):
        known, M, f = implicit([*y, t])
        return [*known, *np.linalg.solve(M, f)[:, 0]]

    return {"states": states, "fields": {"tuned": by_formula, "as documented": by_matrix}, "exact": free(symbolic),
            "symbols": given, "start": np.array([float(first[one]) for one in states])}  # fmt: skip


def reference(peer: dict) -> dict:
    """The end of the peer's equations by Taylor series in quadruple precision."""
    *names, clock = (str(one) for one in peer["symbols"])
    variables = hy.make_vars(*names)
    rates = [hy.from_sympy(_in_binary(e), s_dict={sm.Symbol(clock): hy.time}) for e in peer["exact"]]
    quad = hy.real128 if hasattr(hy, "real128") else np.longdouble
    ta = hy.taylor_adaptive([(v, r) for v, r in zip(variables, rates, strict=True)], [quad(x) for x in peer["start"]],
                            fp_type=quad, compact_mode=True)  # fmt: skip
    ta.propagate_until(quad(UNTIL))
    return dict(zip(peer["states"], ta.state, strict=True))


def _in_binary(expression):
    """The formula with fractions as floats, since heyoka takes no others."""
    return expression.replace(lambda e: e.is_Rational and not e.is_Integer, lambda e: sm.Float(float(e)))


def timed(work) -> tuple[float, float]:
    """Seconds for a run right after others have had the processor, and for one of a series of runs that lasts ``SERIES`` seconds."""
    first = _once(work)
    count = max(1, round(SERIES / first))
    return first, min(first, _once(lambda: [work() for _ in range(count)]) / count)


def _once(work) -> float:
    """Seconds by the clock, or of processor time where those are fewer because others use the machine."""
    clock, used = time.perf_counter(), time.process_time()
    work()
    return min(time.perf_counter() - clock, time.process_time() - used)


def within_error(work, error_of) -> tuple | None:
    """Of runs with tighter and tighter tolerances the first within the error: its tolerance, its error and its result."""
    for tolerance in TOLERANCES:
        result = work(tolerance)
        error = error_of(result)
        if error <= WANTED:
            return tolerance, error, result
    return None


def compare(case: dict, rounds: int = sized(7, 1)) -> list[dict]:
    peer, system, start = case["peer"], case["system"], case["start"]
    options = {"grid": 2, "progress": False, "max_step": case.get("max_step")}

    def ours(method, tolerance):
        thorough = True if method == "taylor" else None
        return vc.simulate(system, UNTIL, start, method=method, tolerance=tolerance, thorough=thorough, **options)

    if sized(False, True):
        return [{"system": case["name"], "vinculum ms": 1e3 * _once(lambda: ours("dop853", 1e-10))}]
    truth = case["theirs"](reference(peer))

    def theirs(way, method, tolerance):
        return solve_ivp(
            peer["fields"][way], (0.0, UNTIL), peer["start"], method=method, rtol=tolerance, atol=tolerance
        )

    def our_error(motion):
        return np.abs(case["ours"](motion) - truth).max()

    def their_error(found):
        return np.abs(case["theirs"](dict(zip(peer["states"], found.y[:, -1], strict=True))) - truth).max()

    runs = {("vinculum", method): (partial(ours, method), our_error) for method in ("taylor", "dop853")}
    runs |= {(way, method): (partial(theirs, way, method), their_error)
             for way, method in (("tuned", "LSODA"), ("tuned", "DOP853"), ("as documented", "DOP853"))}  # fmt: skip
    found = {key: within_error(*run) for key, run in runs.items()}
    good = {key: one for key, one in found.items() if one is not None}
    times, single = dict.fromkeys(good, np.inf), dict.fromkeys(good, np.inf)
    for _ in range(rounds):  # all in turn, so that a busy machine hits all alike
        for key, (tolerance, *_) in good.items():
            took = timed(lambda k=key, x=tolerance: runs[k][0](x))
            single[key], times[key] = min(single[key], took[0]), min(times[key], took[1])
    us = min((key for key in good if key[0] == "vinculum"), key=times.__getitem__)
    rows = []
    for way in ("as documented", "tuned"):
        them = min((key for key in good if key[0] == way), key=times.__getitem__)
        rows.append({"system": case["name"], "vinculum ms": 1e3 * times[us], "by": f"{us[1]} {good[us][0]:g}",
                     "error": good[us][1], "peer": way, "peer by": f"{them[1]} {good[them][0]:g}", "peer ms": 1e3 * times[them],
                     "peer calls": good[them][2].nfev, "peer error": good[them][1], "ratio": times[them] / times[us],
                     "ratio of single runs": single[them] / single[us], "target": TARGET})  # fmt: skip
    return rows


def main() -> None:
    cases = sized((disc, sleigh, snakeboard), (sleigh,))
    report("constrained_runs", [row for case in cases for row in compare(case())])


if __name__ == "__main__":
    main()
