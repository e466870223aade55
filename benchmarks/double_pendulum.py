"""One run of a double pendulum to 1e-12, next to SciPy's DOP853 over Pinocchio; error against 30 digits."""

import time

import mpmath
import numpy as np
from _cases import best, over, peer, report, sized
from scipy.integrate import solve_ivp

import vinculum as vc

pin = peer("pinocchio")
UNTIL = sized(10.0, 0.02)
START = (1.2, 0.3, 0.0, -1.0)
M1, M2, C1, C2, J1, J2, L1, G = 1.0, 0.5, 0.5, 0.4, 0.084, 0.030, 1.0, 9.81


def in_vinculum() -> vc.System:
    arm = vc.System("double pendulum", gravity=(0, 0, -G))
    upper = arm.add(vc.RigidBody("upper", M1, (0, 0, -C1), (J1, J1, 0.001)))
    lower = arm.add(vc.RigidBody("lower", M2, (0, 0, -C2), (J2, J2, 0.001)))
    arm.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    arm.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -L1)))
    return arm


def in_pinocchio():
    model = pin.Model()
    model.gravity.linear = np.array([0, 0, -G])
    first = model.addJoint(0, pin.JointModelRY(), pin.SE3.Identity(), "shoulder")
    model.appendBodyToJoint(first, pin.Inertia(M1, np.array([0, 0, -C1]), np.diag([J1, J1, 0.001])), pin.SE3.Identity())
    second = model.addJoint(first, pin.JointModelRY(), pin.SE3(np.eye(3), np.array([0, 0, -L1])), "elbow")
    model.appendBodyToJoint(
        second, pin.Inertia(M2, np.array([0, 0, -C2]), np.diag([J2, J2, 0.001])), pin.SE3.Identity()
    )
    return model


def reference() -> list[float]:
    """The final angles to 30 digits, by mpmath's Taylor series on the textbook equations (angles from the vertical)."""
    mpmath.mp.dps = 40
    m1, m2, c1, c2, j1, j2, l, g = (mpmath.mpf(str(x)) for x in (M1, M2, C1, C2, J1, J2, L1, G))
    A, B, C = j1 + m1 * c1**2 + m2 * l**2, j2 + m2 * c2**2, m2 * l * c2

    def field(t, y):
        a, b, da, db = y
        c, s = mpmath.cos(a - b), mpmath.sin(a - b)
        r1 = -C * s * db**2 - (m1 * c1 + m2 * l) * g * mpmath.sin(a)
        r2 = C * s * da**2 - m2 * c2 * g * mpmath.sin(b)
        det = A * B - (C * c) ** 2
        return [da, db, (B * r1 - C * c * r2) / det, (A * r2 - C * c * r1) / det]

    q1, q2, v1, v2 = (mpmath.mpf(str(x)) for x in START)
    y = [q1, q1 + q2, v1, v1 + v2]
    h, stages = mpmath.mpf(1) / 100, 12
    # Gragg–Bulirsch–Stoer: extrapolated midpoint steps, to far below 30 digits
    t = mpmath.mpf(0)
    for _ in range(int(UNTIL * 100)):
        table = []
        for k in range(stages):
            n = 2 * (k + 1)
            s = h / n
            y0, y1 = y, [a + s * b for a, b in zip(y, field(t, y), strict=True)]
            for i in range(1, n):
                y0, y1 = y1, [a + 2 * s * b for a, b in zip(y0, field(t + i * s, y1), strict=True)]
            row = [[(a + b + s * c) / 2 for a, b, c in zip(y0, y1, field(t + h, y1), strict=True)]]
            for j in range(1, k + 1):
                ratio = (mpmath.mpf(k + 1) / (k + 1 - j)) ** 2 - 1
                row.append([a + (a - b) / ratio for a, b in zip(row[j - 1], table[k - 1][j - 1], strict=True)])
            table.append(row)
        y = table[-1][-1]
        t += h
    return [float(y[0]), float(y[1] - y[0])]


def of_scipy(tolerance: float, exact: np.ndarray) -> tuple[float, float]:
    """Seconds of a run over Pinocchio, and the error of its angles."""
    model = in_pinocchio()
    data, tau = model.createData(), np.zeros(2)

    def field(t, y):
        return np.concatenate([y[2:], pin.aba(model, data, y[:2], y[2:], tau)])

    def run():
        return solve_ivp(field, (0, UNTIL), START, method="DOP853", rtol=tolerance, atol=tolerance)

    error = float(np.abs(run().y[:2, -1] - exact).max())
    return best(run, 5), error


def main() -> None:
    exact = np.array(reference())
    arm = in_vinculum()
    start = {"shoulder": START[0], "elbow": vc.At(START[1], rate=START[3])}
    began = time.perf_counter()
    motion = vc.simulate(arm, UNTIL, start, tolerance=1e-13)
    first = time.perf_counter() - began
    ours = best(lambda: vc.simulate(arm, UNTIL, start, tolerance=1e-13), 21)
    error = np.abs(motion.q[-1] - exact).max()
    rows = []
    for tolerance in (1e-12, 1e-13):
        their_time, their_error = of_scipy(tolerance, exact) if pin else (None, None)
        rows.append({"peer": f"SciPy DOP853 {tolerance:g} over Pinocchio", "vinculum ms": ours * 1e3,
                     "peer ms": their_time and their_time * 1e3,
                     "ratio": over(their_time, ours), "target": 25.0, "vinculum error": error, "peer error": their_error,
                     "vinculum compile s": first})  # fmt: skip
    report("double_pendulum", rows)


if __name__ == "__main__":
    main()
