"""Orbits whose digits are published: Arenstorf's, the Pleiades, and the outer solar system."""

import numpy as np

import vinculum as vc

MU = 0.012277471
PERIOD = 17.0652165601579625588917206249
START, SPEED = 0.994, -2.00158510637908252240537862224


def test_arenstorfs_orbit_closes_in_the_rotating_frame():
    """Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, II.0, (0.1): the frame turns once in 2π."""
    system = vc.System("arenstorf")
    craft = system.add(vc.MassPoint("craft", 1.0))

    def energy(body):
        x, y, z = body.position
        earth, moon = vc.math.norm([x + MU, y, z]), vc.math.norm([x - (1 - MU), y, z])
        return -(1 - MU) / earth - MU / moon - 0.5 * (x * x + y * y)

    def coriolis(body):
        u, v, _ = body.velocity
        return vc.Wrench(force=(2 * v, -2 * u, 0))

    system.add(vc.Potential("earth and moon", [craft], energy))
    system.add(vc.Force("coriolis", craft, coriolis))
    motion = vc.simulate(system, PERIOD, {"craft": vc.At((START, 0, 0), rate=(0, SPEED, 0))}, grid=[0.0, PERIOD])
    assert np.abs(motion.q[-1] - motion.q[0]).max() < 1e-9
    assert np.abs(motion.v[-1] - motion.v[0]).max() < 1e-7
    assert motion.audit().passed


def test_arenstorfs_orbit_closes_between_two_moving_centers():
    """The same in axes that do not turn: an energy that changes by the clock."""
    system = vc.System("arenstorf")
    craft = system.add(vc.MassPoint("craft", 1.0))

    def energy(body, t):
        c, s = vc.math.cos(t), vc.math.sin(t)
        x, y, z = body.position
        earth = vc.math.norm([x + MU * c, y + MU * s, z])
        moon = vc.math.norm([x - (1 - MU) * c, y - (1 - MU) * s, z])
        return -(1 - MU) / earth - MU / moon

    system.add(vc.Potential("earth and moon", [craft], energy))
    start = vc.At((START, 0, 0), rate=(0, SPEED + START, 0))
    motion = vc.simulate(system, PERIOD, {"craft": start}, grid=[0.0, PERIOD])
    c, s = np.cos(PERIOD), np.sin(PERIOD)
    assert np.abs(motion.q[-1, :2] - START * np.array([c, s])).max() < 1e-9
    assert motion.audit().passed


X = [3, 3, -1, -3, 2, -2, 2]
Y = [3, -3, 2, 0, 0, -4, 4]
U = [0, 0, 0, 0, 0, 1.75, -1.5]
V = [0, 0, 0, -1.25, 1, 0, 0]
LAST_X = [0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310, 0.3425581707156584,
          1.562172101400631, -0.7003092922212495]  # fmt: skip
LAST_Y = [-3.943437585517392, -3.271380973972550, 5.225081843456543, -2.590612434977470, 1.198213693392275,
          -0.2429682344935824, 1.091449240428980]  # fmt: skip
LAST_U = [3.417003806314313, 1.354584501625501, -2.590065597810775, 2.025053734714242, -1.155815100160448,
          -0.8072988170223021, 0.5952396354208710]  # fmt: skip
LAST_V = [-3.741244961234010, 0.3773459685750630, 0.9386858869551073, 0.3667922227200571, -0.3474046353808490,
          2.344915448180937, -1.947020434263292]  # fmt: skip


def test_the_pleiades_end_where_the_test_set_says():
    """Mazzia and Magherini, Test Set for Initial Value Problem Solvers, release 2.4, Pleiades problem: masses i, G = 1, t = 3."""
    system = vc.System("pleiades")
    stars = [system.add(vc.MassPoint(f"star{i}", i)) for i in range(1, 8)]
    system.add(vc.potentials.Gravitation("attraction", stars, G=1.0))
    start = {
        s: vc.At((x, y, 0), rate=(u, v, 0)) for s, x, y, u, v in zip((s.name for s in stars), X, Y, U, V, strict=True)
    }
    motion = vc.simulate(system, 3.0, start)
    q, v = motion.q[-1].reshape(7, 3), motion.v[-1].reshape(7, 3)
    assert np.abs(q[:, 0] - LAST_X).max() < 1e-10 and np.abs(q[:, 1] - LAST_Y).max() < 1e-10
    assert np.abs(v[:, 0] - LAST_U).max() < 1e-9 and np.abs(v[:, 1] - LAST_V).max() < 1e-9
    assert motion.audit().passed
