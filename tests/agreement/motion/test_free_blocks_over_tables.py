"""Bodies over tables on which nothing acts: their rates are read from the state itself, without wrenches."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.evaluate import evaluate_groups
from vinculum.integrators.tabled import loops
from vinculum.integrators.tabled.field import TableRates
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.rates import table_rates
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType

ENERGY = vc.energies.NeoHookean(1.0, 20.0, 10.0)


def crowd(soft: int, others: bool):
    """Soft bodies of different masses, and if asked for a top, points and a pendulum next to them, in gravity."""
    system = vc.System("crowd", gravity=(0.1, 0.0, -9.81))
    for k in range(soft):
        system.add(vc.AffineBody(f"soft {k}", 1.0 + k % 3, (0.1, 0.2, 0.3), energy=ENERGY))
    if others:
        system.add(vc.RigidBody("top", 2.0, inertia=(0.1, 0.2, 0.25)))
        system.add_many(vc.MassPoint("point", 1.0), 3)
        system.add(vc.RigidBody("bob", 1.5, inertia=(0.1, 0.2, 0.25)))
        system.add(vc.Revolute("hinge", "ground", "bob", axis=(0, 1, 0), to=(0, 0, 0.3)))
    return system


def state_of(model, seed=2):
    """A state near rest, quaternions of length one."""
    rng = np.random.default_rng(seed)
    state = rng.normal(size=model.nq + model.nv)
    for place, name in enumerate(model.layout.q_names):
        if "soft" in name:
            state[place] = 0.1 * state[place]
    return state


def deformed(model, soft: int, seed=2):
    """Like `state_of`; the first bodies have deformations near one."""
    state, rng = state_of(model, seed), np.random.default_rng(seed)
    for k in range(soft):
        state[12 * k + 3 : 12 * k + 12] = np.eye(3).ravel() + 0.1 * rng.normal(size=9)
    return state


@pytest.mark.parametrize("others", [False, True])
def test_rates_of_free_bodies_are_those_of_the_equations_written_out(others):
    tree = crowd(11, others).tree()
    tabled, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    state, field = deformed(tabled, 11), TableRates(tabled, np.zeros(0))
    assert field.tables.alone
    out = np.full(len(state), np.nan)
    known = np.concatenate(list(evaluate_groups(written.tape("motion"), np.append(state, 0.0)[None]).values()), axis=1)[
        0
    ]
    for _ in range(2):  # of a state that lies elsewhere the second time
        state = state.copy()
        table_rates(field.tables, state, 0.0, out)
        assert np.abs(out - known).max() < 1e-12 * np.abs(known).max()


def test_wrenches_of_bonds_still_act_on_bodies_of_the_same_kinds():
    system = crowd(0, True)
    system.add(vc.Spring("spring", "top", "bob", 30.0))
    tree = system.tree()
    tabled, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    state, field = state_of(tabled), TableRates(tabled, np.zeros(0))
    assert not field.tables.alone
    out = np.empty(len(state))
    table_rates(field.tables, state, 0.0, out)
    known = np.concatenate(list(evaluate_groups(written.tape("motion"), np.append(state, 0.0)[None]).values()), axis=1)[
        0
    ]
    assert np.abs(out - known).max() < 1e-12 * np.abs(known).max()


def verlet_by_hand(field, state, h, steps):
    """States and rates of Störmer and Verlet's method, from the same rates."""
    half, y = len(state) // 2, state.copy()
    slope = np.empty(len(y))
    table_rates(field.tables, y, 0.0, slope)
    states, slopes = [], [slope.copy()]
    for step in range(steps):
        y[half:] += 0.5 * h * slope[half:]
        y[:half] += h * y[half:]
        table_rates(field.tables, y, (step + 1) * h, slope)
        y[half:] += 0.5 * h * slope[half:]
        slope[:half] = y[half:]
        states.append(y.copy())
        slopes.append(slope.copy())
    return np.array(states), np.array(slopes)


def test_steps_of_verlet_are_kicks_and_drifts_and_do_not_depend_on_other_rows(monkeypatch):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    found = {}
    for count in (5, 19):
        model = TabledType.model_of(crowd(count, False).tree())
        field, state = TableRates(model, np.zeros(0)), deformed(model, count)
        state = np.concatenate(
            [deformed(TabledType.model_of(crowd(19, False).tree()), 19)[: 12 * count], np.zeros(12 * count)]
        )
        end, states, slopes = state.copy(), np.empty((4, len(state))), np.empty((5, len(state)))
        assert loops.verlet(field.tables, end, 0.0, 1e-2, states, slopes) == 4
        known = verlet_by_hand(field, state, 1e-2, 4)
        assert np.abs(states - known[0]).max() < 1e-14 * np.abs(known[0]).max()
        assert np.abs(slopes - known[1]).max() < 1e-13 * np.abs(known[1]).max()
        assert np.array_equal(end, states[-1])
        found[count] = states
    assert np.array_equal(found[5][:, :60], found[19][:, :60])
    assert np.array_equal(found[5][:, 60:], found[19][:, 228:288])


def test_steps_of_verlet_end_where_a_velocity_is_not_finite():
    model = TabledType.model_of(crowd(3, False).tree())
    field, state = TableRates(model, np.zeros(0)), deformed(model, 3)
    state[36 + 3 : 36 + 12] = -300.0  # turned inside out within a step: the energy is not defined there
    states, slopes = np.empty((4, len(state))), np.empty((5, len(state)))
    assert loops.verlet(field.tables, state, 0.0, 1.0, states, slopes) == 0
