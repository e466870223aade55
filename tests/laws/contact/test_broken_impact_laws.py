"""Every impact law is judged: impulses that balance momenta, and obey another law or a wrong engine, break "impact law"."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from vinculum.integrators.event_driven import touching

LAWS = {
    "inelastic": vc.Inelastic(),
    "elastic": vc.Elastic(),
    "newton": vc.Newton(0.5),
    "poisson": vc.Poisson(0.5),
    "inelastic, sequential": vc.Inelastic("sequential"),
    "elastic, sequential": vc.Elastic("sequential"),
    "newton, sequential": vc.Newton(0.5, "sequential"),
}
NEARBY = {
    "inelastic": vc.Newton(0.01),
    "elastic": vc.Newton(0.99),
    "newton": vc.Newton(0.505),
    "poisson": vc.Poisson(0.505),
    "inelastic, sequential": vc.Newton(0.5, "sequential"),
    "elastic, sequential": vc.Newton(0.99, "sequential"),
    "newton, sequential": vc.Newton(0.505, "sequential"),
}
"""Laws whose impulses differ by about a hundredth. Sequential impacts with little restitution
end as inelastic ones do."""
ENGINES = {"dop853": {"method": "dop853"}, "moreau": {"method": "moreau", "step": 1e-3}}


def row(impact, *others) -> tuple[vc.System, dict]:
    """Three sliders that touch each other, hit by a fourth; ``others``: laws of the contacts after the first, if they differ."""
    system, before = vc.System("row"), None
    for k, mass in enumerate((1.0, 0.7, 1.6, 0.4)):
        slider = system.add(vc.MassPoint(f"slider {k}", mass))
        system.add(vc.Prismatic(f"guide {k}", "ground", slider, axis=(1, 0, 0)))
        if before is not None:
            gap = lambda a, b: b.position[0] - a.position[0]
            law = (impact, *(others or (impact, impact)))[k - 1]
            system.add(vc.Unilateral(f"gap {k}", [before, slider], gap=gap, impact=law))
        before = slider
    return system, {"guide 0": vc.At(-0.05, rate=2.0)}


def bar(impact) -> tuple[vc.System, dict]:
    """A bar that falls flat on two feet of unequal distance, with friction, and turns a little."""
    system = vc.System("bar")
    body = system.add(vc.RigidBody("bar", 1.2, inertia=(0.03, 0.03, 0.03)))
    system.add(vc.Planar("plane", "ground", body))
    for k, (x, mu) in enumerate(((-0.3, 0.2), (0.4, 0.3))):
        foot = lambda b, x=x: b.point((x, -0.1, 0))
        system.add(vc.Unilateral(f"foot {k}", [body], gap=lambda b, at=foot: at(b)[1], point=foot, impact=impact,
                                 friction=vc.Coulomb(mu)))  # fmt: skip
    return system, {"plane": vc.At((0, 0.1, 0), rate=(0.9, -1.0, 0.3))}


SCENES = {"row": row, "bar": bar}
FRICTION = {"friction of what slides |P_T| = μ P_N"}


@pytest.fixture(scope="module", params=[(scene, engine) for scene in SCENES for engine in ENGINES], ids="-".join)
def hits(request):
    """The motions of one scene by one engine, one for every law."""
    scene, engine = SCENES[request.param[0]], ENGINES[request.param[1]]
    runs = {}
    for impact in [*LAWS.values(), *NEARBY.values()]:
        system, start = scene(impact)
        runs[impact] = vc.simulate(system, 0.05, start, progress=False, **engine)
    return scene, runs


@pytest.mark.parametrize("name", LAWS)
def test_a_motion_passes_by_its_own_law_and_fails_by_laws_that_move_otherwise(hits, name):
    scene, runs = hits
    own = runs[LAWS[name]]
    assert own.audit().passed, str(own.audit())
    moves_otherwise = lambda impact: np.abs(runs[impact].v[-1] - own.v[-1]).max() > 1e-4
    assert moves_otherwise(NEARBY[name])
    names = list(LAWS)
    following = [LAWS[names[(names.index(name) + k) % len(names)]] for k in range(1, len(names))]
    for impact in (NEARBY[name], next(filter(moves_otherwise, following))):
        laws = broken(runs[impact].replace(system=scene(LAWS[name])[0]).audit())
        assert "impact law" in laws and laws <= {"impact law"} | FRICTION, f"{impact}: {laws}"


@pytest.mark.parametrize("row_of_triple", [0, 1], ids=["normal", "tangential"])
@pytest.mark.parametrize("name", LAWS)
def test_an_engine_whose_impulses_are_off_by_a_hundredth_fails(name, row_of_triple, monkeypatch):
    """The run takes the wrong impulses for right, and momenta balance."""

    def wrong_impact(W, u_free, u_before, law, e, mu, P, sought):
        found = touching_impact(W, u_free, u_before, law, e, mu, P, sought)
        P[row_of_triple::3] *= 1.01 if row_of_triple == 0 else 0.99
        return found

    touching_impact = touching.impact
    monkeypatch.setattr(touching, "impact", wrong_impact)
    system, start = bar(LAWS[name])
    motion = vc.simulate(system, 0.02, start, method="dop853", progress=False)
    laws = broken(motion.audit())
    assert laws & ({"impact law"} | FRICTION), str(motion.audit())
    assert "impulses M [v] = Hᵀ P" not in laws


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_that_gives_nothing_back_at_contacts_that_were_at_rest_breaks_poissons_law(engine):
    """The first contact is inelastic, so nothing separates by Newton's ratio at those that were at rest."""
    newton, poisson = (row(vc.Inelastic(), law, law) for law in (vc.Newton(0.5), vc.Poisson(0.5)))
    motion = vc.simulate(newton[0], 0.05, newton[1], progress=False, **ENGINES[engine])
    assert motion.audit().passed
    assert broken(motion.replace(system=poisson[0]).audit()) == {"impact law"}


@pytest.mark.parametrize("engine", ENGINES)
def test_loads_that_are_shared_in_many_ways_obey_poisson(engine):
    """A body falls on a block with four feet: the impulses of compression are not unique, and all of them are right."""
    system = vc.System("block")
    block = system.add(vc.RigidBody("block", 2.0, inertia=(0.1, 0.1, 0.1)))
    ball = system.add(vc.MassPoint("ball", 0.5))
    for k, (x, y) in enumerate(((0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2))):
        foot = lambda b, p=(x, y, 0.0): b.point(p)
        system.add(vc.Unilateral(f"foot {k}", [block], gap=lambda b, at=foot: at(b)[2], point=foot, impact=vc.Poisson(0.6),
                                 friction=vc.Coulomb(0.4)))  # fmt: skip
    gap = lambda a, b: b.position[2] - a.position[2] - 0.1
    system.add(vc.Unilateral("top", [block, ball], gap=gap, impact=vc.Poisson(0.6)))
    start = {"ball": vc.At((0.05, 0.02, 0.15), rate=(0, 0, -1.0))}
    motion = vc.simulate(system, 0.1, start, progress=False, **ENGINES[engine])
    assert motion.audit().passed, str(motion.audit())
