"""Balances and environments of bodies in contact that are stepped: impulses, bonds and weights add up to the changes of momenta."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from blocks_in_contact import FLOOR, mixed
from held_blocks import struck_and_held
from records import altered
from vinculum.errors import StartError
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.tabled import type as tabled_type
from vinculum.motion.impulses.pressing import PressingContacts

STEPPED = {"method": "moreau", "step": 1e-3, "progress": False}


def pile():
    """Boxes that fall onto each other and a floor, and are struck in between."""
    system = vc.System("pile", gravity=(0, 0, -9.81))
    box = vc.shapes.Box((0.1, 0.12, 0.08))
    bodies = [system.add(vc.RigidBody.solid(f"b{k}", box, density=800, at=(0.01, 0, 0.02))) for k in range(5)]
    system.add(vc.Contact("touch", bodies, walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.4)))
    system.add(vc.Impulse("kick", bodies[1], vc.Wrench(force=(0.1, 0, 0.05), at=(0, 0, 0.02)), at=[0.05, 0.21]))
    start = {f"b{k}": vc.At((0.02 * k, 0.01 * k, 0.1 + 0.14 * k), rate=(0.1, 0, 0, 1.0, 0.5 * k, 0)) for k in range(5)}
    return vc.simulate(system, 0.3, start, grid=7, **STEPPED), FreeBodiesType


def blocks():
    """A hammer, a chain, a block on a spring, a ball and a pusher that is prescribed."""
    system, start = mixed()
    return vc.simulate(system, 0.05, start, grid=6, **STEPPED), BlocksInContactType


def held():
    """Closed loops, constraints and applied impulses between contacts."""
    system, start = struck_and_held()
    return vc.simulate(system, 0.13, start, grid=6, **STEPPED), BlocksInContactType


def soft():
    """Two soft cubes on each other, and a stone."""
    system = vc.System("soft", gravity=(0, 0, -9.81))
    jelly = {
        "energy": vc.energies.NeoHookean(0.064, 1500.0, 3000.0),
        "dissipation": vc.energies.NewtonianViscosity(0.064, 8.0),
    }
    box = vc.shapes.Box((0.4, 0.4, 0.4))
    bodies = [system.add(vc.AffineBody.solid(name, box, mass=2.0, **jelly)) for name in ("low", "high")]
    bodies.append(system.add(vc.RigidBody.solid("stone", vc.shapes.Box((0.2, 0.2, 0.2)), mass=1.0)))
    system.add(vc.Contact("touch", bodies, walls=FLOOR, impact="inelastic", friction=0.5))
    sheared = np.array([[0.95, -0.2, 0.0], [0.2, 1.0, 0.1], [0.0, 0.05, 1.02]])
    start = {
        "low": (0, 0, 0.205),
        "high": vc.At(((0.05, 0.02, 0.66), sheared), ((0, 0, -1.0), np.zeros((3, 3)))),
        "stone": vc.At((0.1, 0, 1.05), (0, 0, -1.0, 0, 1.0, 0)),
    }
    return vc.simulate(system, 0.05, start, grid=4, **STEPPED), BlocksInContactType


MOTIONS = {"pile": pile, "blocks": blocks, "held": held, "soft": soft}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=[pytest.mark.slow] * (name == "held")) for name in MOTIONS]
)
def motion(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tabled_type, "FEWEST_TABLED", 0)
        found, wanted = MOTIONS[request.param]()
        assert isinstance(found.record.model.type, wanted)
    return found


def _subsets(motion):
    names = list(motion.record.model.layout.bodies)
    return [(names[0],), tuple(names[1::2]), ()]


def test_every_set_of_bodies_in_contact_is_in_balance(motion):
    begin, end = motion.record.pieces.begin, motion.record.pieces.end
    for names in _subsets(motion):
        for window in (None, (begin + 0.213 * (end - begin), begin + 0.779 * (end - begin))):
            balance = motion.body(*names).measures.balance(window)
            assert balance.passed, str(balance)
            assert balance.momentum.impulse == pytest.approx(balance.momentum.change, abs=1e-8)
            assert balance.energy.work == pytest.approx(balance.energy.change, abs=1e-8)


def test_corrections_of_the_method_are_of_second_order(motion):
    for names in _subsets(motion):
        balance = motion.body(*names).measures.balance()
        moved = [part for part in balance.parts if part.name == "corrections of the method"]
        others = max(np.abs(part.impulse).max() for part in balance.parts)
        assert all(np.abs(part.impulse).max() < 1e-3 * others for part in moved)


def test_windows_of_steps_add_up(motion):
    begin, end = motion.record.pieces.begin, motion.record.pieces.end
    middle = begin + 0.4 * (end - begin)
    first, second, whole = (motion.body().measures.balance(w) for w in ((begin, middle), (middle, end), (begin, end)))
    assert first.window[1] == second.window[0] == pytest.approx(middle, abs=1e-3)
    assert first.momentum.impulse + second.momentum.impulse == pytest.approx(whole.momentum.impulse, abs=1e-10)
    assert first.energy.work + second.energy.work == pytest.approx(whole.energy.work, abs=1e-10)


def test_what_is_outside_presses_as_it_is_pressed(motion):
    for names in _subsets(motion):
        around = motion.body(*names).measures.environment
        size = max(np.abs(x).max() for x in around.parts.values())
        assert around.wrench + around.reaction == pytest.approx(np.zeros((len(motion.time), 6)), abs=1e-12 * size)


def test_a_stored_motion_in_contact_has_the_same_balance(motion, tmp_path):
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    for names in _subsets(motion)[1:]:
        found, expected = (one.body(*names) for one in (loaded, motion))
        assert found.measures.balance().to_dict() == expected.measures.balance().to_dict()
        assert np.array_equal(found.measures.environment.wrench, expected.measures.environment.wrench)


def test_contacts_between_the_bodies_do_work_but_no_impulse(motion):
    inside = [part for part in motion.body().measures.balance().parts if part.inside]
    assert inside
    for part in inside:
        assert part.impulse == pytest.approx(np.zeros(6), abs=1e-12)


def test_a_falsified_motion_in_contact_is_not_in_balance(motion):
    pieces, nq = motion.record.pieces, motion.record.model.nq
    coefficients = np.array(pieces.coefficients)
    coefficients[len(coefficients) // 2 :, nq:] *= 1.001
    false = altered(motion, pieces=type(pieces)(**(vars(pieces) | {"coefficients": coefficients})))
    assert false.body().measures.balance().verdict == "failed"


def test_impulses_that_are_a_thousandth_too_large_are_not_in_balance(motion):
    solver = motion.record.contact_solver
    rows = np.array(solver.pressing.rows)
    rows[:, 9:12] *= 1.001
    false = altered(motion, contact_solver=replace(solver, pressing=PressingContacts(rows)))
    assert false.body().measures.balance().verdict == "failed"


def test_the_floor_carries_a_heap_at_rest():
    system = vc.System("rest", gravity=(0, 0, -9.81))
    box = vc.shapes.Box((0.1, 0.1, 0.1))
    boxes = [system.add(vc.RigidBody.solid(f"box {k}", box, density=700)) for k in range(3)]
    system.add(vc.Contact("touch", boxes, walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.4)))
    start = {f"box {k}": (0.004 * k, 0, 0.0501 + 0.1002 * k) for k in range(3)}
    motion = vc.simulate(system, 0.4, start, grid=5, **STEPPED)
    top = motion.body("box 2").measures.environment.parts["touch"][-1]
    both = motion.body("box 1", "box 2").measures.environment.parts["touch"][-1]
    assert top[:3] == pytest.approx([0, 0, 0.7 * 9.81], abs=1e-5)
    assert both[:3] == pytest.approx([0, 0, 1.4 * 9.81], abs=1e-5)
    x = motion.body("box 2").center[-1]
    assert top[3:] == pytest.approx(np.cross(x, [0, 0, 0.7 * 9.81]), abs=1e-5)


def test_two_bodies_get_opposite_impulses_from_each_other():
    system = vc.System("pair")
    balls = [system.add(vc.RigidBody.solid(name, vc.shapes.Box((0.2, 0.2, 0.2)), mass=1.0)) for name in "ab"]
    system.add(vc.Contact("hit", balls, impact=vc.Newton(0.5), friction=vc.Coulomb(0.3)))
    start = {
        "a": vc.At((-0.2, 0, 0), rate=(1.0, 0, 0, 0, 0, 2.0)),
        "b": vc.At((0.2, 0.03, 0), rate=(-1.0, 0, 0, 0, 0, 0)),
    }
    motion = vc.simulate(system, 0.3, start, **STEPPED)
    one, other = (motion.body(name).measures.balance() for name in "ab")
    (hit,), (back,) = ([part for part in balance.parts if part.name == "hit"] for balance in (one, other))
    assert hit.impulse == pytest.approx(-back.impulse, abs=1e-14) and np.abs(hit.impulse[:3]).max() > 0.5
    (between,) = [part for part in motion.body().measures.balance().parts if part.inside]
    assert between.work == pytest.approx(hit.work + back.work, rel=1e-12)
    assert between.work == pytest.approx(np.diff(motion.record._balance["kinetic"][[0, -1], 0])[0], rel=1e-6)


def test_a_motion_without_recorded_impulses_has_no_balance():
    motion, _ = pile()
    unknown = altered(motion, contact_solver=None)
    with pytest.raises(StartError, match="impulses of its contacts are not recorded step by step"):
        unknown.body("b0").measures.balance()
