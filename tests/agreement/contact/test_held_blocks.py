"""Blocks in contact with closed loops and constraints over tables, against the same systems by other routes."""

import numpy as np
import pytest

import vinculum as vc
from blocks_in_contact import over_tables
from held_blocks import FLOOR, HELD, add_linkage, add_ring, mixed_and_held, struck_and_held
from linkages import pinned
from vinculum.integrators.blocks_in_contact.step import Step
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.projection import rows_at
from vinculum.models.written_out.type import WrittenOutType


def run(system, until, start, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", progress=False, **options)


@pytest.mark.parametrize("lengths", [{}, {"rolling": 4e-3, "spinning": 6e-3}], ids=["slides", "resists"])
def test_closed_loops_and_constraints_move_as_those_that_are_written_out(monkeypatch, lengths):
    """Both methods are of first order where something is hit, by rules of their own, so they approach each other with the step."""
    over_tables(monkeypatch)
    system, start = mixed_and_held(**lengths)
    assert isinstance(model_for(system).type, BlocksInContactType)
    tabled = [run(system, 0.17, start, step=h, grid=8) for h in (1e-3, 2.5e-4)]
    over_tables(monkeypatch, False)
    other, start = mixed_and_held(**lengths)
    assert isinstance(model_for(other).type, WrittenOutType)
    written = [run(other, 0.17, start, step=h, grid=8) for h in (1e-3, 2.5e-4)]
    assert isinstance(written[0].record.model.type, WrittenOutType)
    coarse, fine = (np.abs(one.q - two.q).max() for one, two in zip(tabled, written, strict=True))
    assert fine < 3e-3 and fine < 0.4 * coarse
    hits = {name: len(tabled[0].bond(name).impulses.normal) for name in ("rough", "smooth", "hit")}
    assert min(hits.values()) > 0


def test_smooth_motion_on_conditions_is_of_second_order(monkeypatch):
    """A ring that turns and a linkage that touch nothing, against Dormand and Prince."""

    def scene():
        system = vc.System("apart", gravity=(0, 0, -9.81))
        ring, start = add_ring(system, "ring")
        bars, turning = add_linkage(system, "bars", (1, 0, 3.0))
        system.add(vc.Spring("spring", ring[2], bars[1], stiffness=30.0, rest_length=0.5))
        start["ring 0"] = vc.At((0, 0, 3.0), rate=(0, 0.5, 2.0, 1.0, 3.0, -2.0))
        return system, [*ring, *bars], start | turning

    over_tables(monkeypatch)
    system, bodies, start = scene()
    system.add(vc.Contact("contact", bodies, walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    free, _, _ = scene()
    exact = vc.simulate(free, 0.2, start, method="dop853", tolerance=1e-11, grid=2, progress=False).q[-1]
    motions = [run(system, 0.2, start, step=h, grid=2) for h in (4e-3, 2e-3, 1e-3)]
    assert isinstance(motions[0].record.model.type, BlocksInContactType)
    assert not any(len(motion.bond("contact").impulses.normal) for motion in motions)
    errors = [np.abs(motion.q[-1] - exact).max() for motion in motions]
    assert errors[2] < 2e-4
    assert 3.4 < errors[0] / errors[1] < 4.6 and 3.4 < errors[1] / errors[2] < 4.6


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_a_chain_by_constraints_falls_as_the_one_by_joints(monkeypatch, e):
    """Free links that pins join are one block by joints, and many by constraints; the same impulses of contacts stop both."""

    def scene(joints: bool):
        system, half = vc.System("chain", gravity=(0, 0, -9.81)), 0.1
        shape = vc.shapes.Capsule(0.03, 0.1)
        links = [system.add(vc.RigidBody.solid(f"link {k}", shape, density=900)) for k in range(3)]
        up, down = (0, 0, half), (0, 0, -half)
        for k in range(2):
            if joints:
                system.add(vc.Spherical(f"pin {k}", links[k], links[k + 1], at=down, to=up))
            else:
                pin = vc.Constraint(
                    f"pin {k}", links[k : k + 2], position=lambda a, b: pinned(a, b, p=down, r=up), **HELD
                )
                system.add(pin)
        law = {"impact": vc.Newton(e) if e else vc.Inelastic(), "friction": vc.Coulomb(0.3)}
        system.add(vc.Contact("contact", links, walls=[FLOOR], **law))
        places = {f"link {k}": vc.At((0, 0, 0.65 - 0.2 * k), rate=(0.3, 0.1, -0.5, 0, 0, 0)) for k in range(3)}
        return system, 0.3, {"link 0": places["link 0"]} if joints else places

    over_tables(monkeypatch)
    apart = []
    for h in (1e-3, 5e-4):
        one, other = (run(*scene(joints), step=h, tolerance=1e-9, grid=7) for joints in (True, False))
        assert isinstance(one.record.model.type, BlocksInContactType)
        assert len(other.bond("contact").impulses.normal) > 0
        ends = [np.stack([motion.body(f"link {k}").position for k in range(3)]) for motion in (one, other)]
        apart.append(np.abs(ends[0] - ends[1]).max())
    assert apart[1] < 2e-3 and apart[1] < 0.7 * apart[0]


def test_impulses_change_velocities_by_what_conditions_leave_of_the_inverse_mass(monkeypatch):
    """The rows of contacts against K = M⁻¹ − M⁻¹Jᵀ(J M⁻¹Jᵀ)⁻¹J M⁻¹ of the whole system, with J by differences."""
    over_tables(monkeypatch)
    system, start = mixed_and_held()
    motion = run(system, 0.15, start, step=1e-3, grid=2)
    model, nq = motion.record.model, motion.record.model.nq
    work, y = BlocksWork(model, motion.record.values), motion.record.pieces.state(np.array([0.149]))[0]
    met = work.contacts_of_step(Step(0.149, 1e-3, 1e-3, y[:nq], y[nq:]))
    tables, sides, state = work.tables, work.contacts.sides, work.tables.blocks.state.ravel()
    H, B = np.zeros((2, 3 * len(met.targets), model.nv))
    for c in range(len(met.targets)):
        for side, k in np.ndindex(2, 3):
            n, first = sides.count[c, side], sides.first[c, side]
            own = slice(sides.at[c, side] + n * k, sides.at[c, side] + n * (k + 1))
            H[3 * c + k, state[first : first + n]] += sides.H[own]
            B[3 * c + k, state[first : first + n]] += sides.B[own]
    still = np.concatenate([met.middle, np.zeros(model.nv)])
    rates = [rows_at(tables._tables, still, 0.1495)[1]]
    for j in range(model.nv):
        still[nq + j] = 1.0
        rates.append(rows_at(tables._tables, still, 0.1495)[1])
        still[nq + j] = 0.0
    J = np.delete(np.stack([x - rates[0] for x in rates[1:]], axis=1), tables.tabled.left_out, axis=0)
    inverse, blocks = np.zeros((model.nv, model.nv)), tables.blocks
    for b, n in enumerate(blocks.count):
        own = state[blocks.first[b] : blocks.first[b] + n]
        inverse[np.ix_(own, own)] = blocks.inverse[blocks.inverse_at[b] : blocks.inverse_at[b] + n * n].reshape(n, n)
    K = inverse - inverse @ J.T @ np.linalg.solve(J @ inverse @ J.T, J @ inverse)
    assert len(met.targets) > 4 and np.abs(H @ inverse - H @ K).max() > 1.0
    np.testing.assert_allclose(B, H @ K, atol=1e-11 * np.abs(H @ inverse).max())
    assert np.abs(J @ B.T).max() < 1e-11 * np.abs(J).max() * np.abs(B).max()


def test_struck_blocks_move_as_those_that_are_written_out(monkeypatch):
    """Where no contact answers an impulse, as shapes of systems that are written out do not: both come together with the step."""
    over_tables(monkeypatch)
    system, start = struck_and_held(pressed=False)
    assert isinstance(model_for(system).type, BlocksInContactType)
    tabled = [run(system, 0.16, start, step=h, grid=8) for h in (1e-3, 2.5e-4)]
    over_tables(monkeypatch, False)
    other, start = struck_and_held(pressed=False)
    assert isinstance(model_for(other).type, WrittenOutType)
    written = [run(other, 0.16, start, step=h, grid=8) for h in (1e-3, 2.5e-4)]
    assert isinstance(written[0].record.model.type, WrittenOutType)
    coarse, fine = (np.abs(one.q - two.q).max() for one, two in zip(tabled, written, strict=True))
    assert fine < 1.5e-3 and fine < 0.4 * coarse
    for name in ("kick", "press", "brake"):
        found, expected = (motion[1].bond(name).impulses for motion in (tabled, written))
        np.testing.assert_array_equal(found.times, expected.times)
        np.testing.assert_allclose(found.wrench, expected.wrench, atol=1e-3)
        np.testing.assert_allclose(found.work, expected.work, atol=1e-3)
    rods = [motion[1].bond("rod").impulses for motion in (tabled, written)]
    passed, expected = (float(one.wrench[np.argmin(np.abs(one.times - 0.1))].item()) for one in rods)
    assert passed == pytest.approx(expected, rel=0.05) and abs(expected) > 1e-3


@pytest.mark.parametrize("tables", [True, None], ids=["tables", "by itself"])
@pytest.mark.parametrize("e", [0.0, 0.6])
def test_a_ball_that_is_struck_against_the_floor_it_lies_on(monkeypatch, e, tables):
    """Exact: the floor takes an impulse P down, without restitution, as the ball had no speed before; friction gives at most μ P."""
    if tables:
        over_tables(monkeypatch)
    system = vc.System("struck", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), mass=2.0))
    system.add(vc.Spring("nothing", ball, "ground", stiffness=0.0, to=(0, 0, 9)))
    law = {"impact": vc.Newton(e) if e else vc.Inelastic(), "friction": vc.Coulomb(0.05)}
    system.add(vc.Contact("floor", [ball], walls=[FLOOR], **law))
    system.add(vc.Impulse("stroke", ball, vc.Wrench(force=(4.0, 0, -6.0)), at=0.05))
    motion = run(system, 0.1, {"ball": (0, 0, 0.1)}, step=1e-3, tolerance=1e-9, grid=[0.0, 0.05, 0.0515, 0.1])
    # the weight of one step is small beside the stroke
    weight = 9.81e-3
    v = motion.body("ball").velocity[2]
    assert v[2] == pytest.approx(0.0, abs=2 * weight)
    assert v[0] == pytest.approx(2.0 - 0.05 * 3.0, abs=2 * weight)
    assert motion.audit().passed, str(motion.audit())
