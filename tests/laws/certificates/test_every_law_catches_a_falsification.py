"""A table of all laws of certificates: each with a falsification that breaks it, here or in the test that is named."""

import ast
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import vinculum as vc
from audited import broken, names_of_laws
from free_bodies import free_bodies
from impacted import ball
from records import altered

TESTS = Path(__file__).parents[2]
G = 9.81


@cache
def falling_spheres():
    """Two spheres that fall on a floor without bouncing."""
    system = free_bodies([vc.shapes.Sphere(0.05)] * 2, walls=[vc.shapes.HalfSpace((0, 0, 1))])
    start = {"b0": vc.At((0, 0, 0.06), rate=(0.3, 0, 0, 0, 0, 0)), "b1": (0.3, 0, 0.08)}
    return vc.simulate(system, 0.3, start, method="moreau", step=1e-3, progress=False)


def with_coefficients(change):
    motion = falling_spheres()
    assert motion.audit().passed, motion.audit()
    coefficients = np.array(motion.record.pieces.coefficients)
    change(coefficients)
    return altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients))


def spheres_that_become_faster():
    """A thousandth more speed along the floor, from one step to the next."""
    nq = falling_spheres().record.model.nq

    def faster(coefficients):
        coefficients[len(coefficients) // 2 :, nq, 0] *= 1.001

    return with_coefficients(faster)


def spheres_that_move_faster_than_they_say():
    def faster(coefficients):
        coefficients[:, 0, 1:] *= 1.001

    return with_coefficients(faster)


def spheres_whose_impulses_miss_their_laws():
    motion = falling_spheres()
    solver = motion.record.contact_solver
    return altered(motion, contact_solver=replace(solver, residual=solver.residual + 1e-3))


def bounce(e: float):
    """One bounce of a ball, exactly, by another coefficient of restitution than that of its law."""
    t = np.linspace(0.0, 0.8, 401)
    hit, speed = np.sqrt(2.0 / G), np.sqrt(2.0 * G)
    after = np.maximum(t - hit, 0.0)
    still = np.zeros_like(t)
    z = np.where(t < hit, 1.0 - G * t**2 / 2, e * speed * after - G * after**2 / 2)
    w = np.where(t < hit, -G * t, e * speed - G * after)
    return t, np.stack([still, still, z], axis=1), np.stack([still, still, w], axis=1)


def a_ball_that_bounces_higher_than_it_fell():
    right = vc.given_motion(ball(vc.Newton(1.0)), *bounce(1.0)).audit()
    assert right.passed, right
    return vc.given_motion(ball(vc.Newton(1.0)), *bounce(1.001))


def skate():
    system = vc.System("skate")
    body = system.add(vc.RigidBody("skate", 1.0, inertia=(0.1, 0.1, 0.2)))
    system.add(vc.Planar("ice", "ground", body))
    edge = lambda b: vc.math.dot(b.velocity, b.rotation[:, 1])
    system.add(vc.Constraint("edge", [body], velocity=edge, realization=vc.DAlembert()))
    return system


def a_skate_that_slips():
    motion = vc.simulate(skate(), 1.0, {"ice": vc.At((0, 0, 0), rate=(1, 0, 0.5))}, progress=False)
    assert motion.audit().passed
    q, v = motion.q, motion.v.copy()
    v[:, :2] += 1e-3 * np.stack([-np.sin(q[:, 2]), np.cos(q[:, 2])], axis=1)
    return motion.replace(v=v)


def lying_point(up: float):
    system = vc.System("lying", gravity=(0, 0, up * G))
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.Unilateral("floor", [point], gap=lambda p: p.position[2], impact=vc.Inelastic()))
    return system


def a_point_that_a_floor_holds_down():
    motion = vc.simulate(lying_point(-1.0), 1.0, {"point": vc.At((0, 0, 0), rate=(1.0, 0, 0))}, progress=False)
    assert motion.audit().passed
    return motion.replace(system=lying_point(1.0))


def a_circle(q_factor: float, v_factor: float):
    """A point on a circle, by its Lagrangian, with coordinates or velocities that are a thousandth too large."""
    circle = (lambda q: q @ q - 1.0, vc.DAlembert())
    system = vc.LagrangianSystem("circle", ["x", "y"], lambda v: 0.5 * (v @ v), constraints={"circle": circle})
    motion = vc.simulate(system, 1.0, ((1, 0), (0, 1)), progress=False)
    assert motion.audit().passed
    return vc.given_motion(system, motion.time, q_factor * motion.q, v_factor * motion.v, tolerance=1e-9)


HERE = {
    "no gain of energy": spheres_that_become_faster,
    "velocities are rates of positions": spheres_that_move_faster_than_they_say,
    "laws of contact and friction": spheres_whose_impulses_miss_their_laws,
    "energy lost in impacts": a_ball_that_bounces_higher_than_it_fell,
    "* on velocities": a_skate_that_slips,
    "rates": lambda: a_circle(1.0, 1.001),
    "constraint '*'": lambda: a_circle(1.001, 1.0),
    "contact forces λ_N ≥ 0": a_point_that_a_floor_holds_down,
}
"""Laws, with what breaks them."""

IMPACTS, FREE = "laws/contact/test_certificates_of_impacts.py", "laws/contact/test_certificates_of_free_bodies.py"
SHARP, TREES = "laws/certificates/test_certificate_sharpness.py", "laws/contact/test_tree_contacts.py"
BLOCKS, LIGHT = "laws/contact/test_blocks_in_contact.py", "laws/contact/test_light_bodies.py"
WORK, MASS = "exact/constraints/test_work_of_reactions.py", "laws/bodies/test_variable_mass.py"
WEAK, LOOPS = "laws/contact/test_weak_form_of_free_bodies.py", "laws/constraints/test_closed_loops.py"
ROLLING, MEDIA = "exact/contact/test_rolling_resistance.py", "exact/bodies/test_media.py"
ANSWERS = "agreement/contact/test_answers_to_impulses.py"

ELSEWHERE = {
    "* *": (MEDIA, "test_a_wrong_drag_breaks_each_stream_but_not_their_sum"),
    "* in the frame": (
        "laws/motion/test_contacts_seen_from.py", "test_momentum_and_energy_that_change_without_a_cause_break_the_laws_in_the_frame"),
    "*, rates": (LOOPS, "test_a_falsified_loop_fails_its_certificate"),
    "Boltzmann–Hamel from energies": (SHARP, "test_two_derivations_agree_to_round_off_and_a_small_disagreement_is_broken"),
    "Newton's third law": ("laws/certificates/test_broken_actions.py", "test_a_fault_is_noticed"),
    "action rate": ("laws/geometry/test_actions_of_many_bodies.py", "test_an_impulse_over_tables_that_is_too_large_breaks_it"),
    "action rate, outward carriers": ("laws/geometry/test_hamiltons_principle.py", "test_a_constraint_that_pulls_breaks_the_inequality"),
    "action rate, own time": (
        "laws/geometry/test_actions_of_time_steps.py", "test_a_time_stepped_motion_that_is_wrong_somewhere_breaks_it"),
    "blocks as described": ("laws/motion/test_tables_as_described.py", "test_a_certificate_says_which_block_is_another"),
    "bounds of servo '*'": ("exact/constraints/test_servos.py", "test_efforts_beyond_their_bounds_are_told_with_first_instant_and_size"),
    "chart norms": (SHARP, "test_quaternions_off_the_sphere_are_seen"),
    "closed loops": (LOOPS, "test_a_falsified_loop_fails_its_certificate"),
    "constraints": ("laws/motion/test_conditions_over_tables.py", "test_a_knot_that_leaves_its_rods_for_a_moment_is_seen"),
    "contact and friction as described": (FREE, "test_a_number_that_is_wrong_in_the_compiled_steps_breaks_a_law"),
    "contact forces in the cone of friction": (
        IMPACTS, "test_forces_that_corners_share_in_many_ways_are_in_the_cones_of_their_own_friction_only"),
    "contacts answer impulses": (ANSWERS, "test_falsified_answers_of_contacts_are_found"),
    "contacts by their own scale": (BLOCKS, "test_steps_with_wrong_numbers_break_a_law"),
    "contacts where shapes meet": (FREE, "test_a_number_that_is_wrong_in_the_compiled_steps_breaks_a_law"),
    "energy E[L] + E[M]": (WORK, "test_a_history_of_multipliers_that_is_wrong_by_a_hundredth_breaks_the_energy_they_hold"),
    "energy balance": (SHARP, "test_moments_alone_break_a_law"),
    "exchange of phases": (MEDIA, "test_drag_that_is_not_skew_breaks_the_sum"),
    "first integrals": (SHARP, "test_moments_alone_break_a_law"),
    "forces of the pairs": ("laws/motion/test_pair_loops.py", "test_forces_that_are_wrong_by_very_little_are_noticed"),
    "friction P_T · u_T⁺ ≤ 0": (IMPACTS, "test_friction_that_pushes_along_fails"),
    "friction of what slides |P_T| = μ P_N": (
        "laws/contact/test_broken_impact_laws.py", "test_a_motion_passes_by_its_own_law_and_fails_by_laws_that_move_otherwise"),
    "friction |P_T| ≤ μ P_N": (IMPACTS, "test_friction_outside_of_its_cone_fails"),
    "gaps g ≥ 0": (IMPACTS, "test_a_motion_through_a_higher_floor_fails"),
    "hand-overs": ("agreement/motion/test_hand_overs.py", "test_a_jump_where_a_span_begins_or_ends_breaks_the_certificate"),
    "hits where gaps close": (
        "agreement/contact/test_located_hits_of_free_bodies.py", "test_a_hit_at_another_instant_breaks_a_law"),
    "impact law": ("laws/contact/test_broken_impact_laws.py", "test_a_motion_passes_by_its_own_law_and_fails_by_laws_that_move_otherwise"),
    "impulses M [v] = Hᵀ P": (ROLLING, "test_a_moment_beyond_its_limit_or_along_the_turn_breaks_the_certificate"),
    "impulses M [v] = Q": (ANSWERS, "test_falsified_answers_of_contacts_are_found"),
    "impulses P · u⁺ ≤ 0": (FREE, "test_a_number_that_is_wrong_in_the_compiled_steps_breaks_a_law"),
    "impulses P_N ≥ 0": (IMPACTS, "test_impulses_that_pull_fail"),
    "impulses as given": ("laws/contact/test_impulses.py", "test_an_impulse_altered_by_a_hundredth_fails_its_certificate"),
    "impulses at closed gaps": (IMPACTS, "test_a_reaction_without_contact_fails"),
    "impulses in the cone of friction": (BLOCKS, "test_steps_with_wrong_numbers_break_a_law"),
    "impulses of contacts": (LIGHT, "test_a_light_body_that_gets_too_little_is_seen_behind_a_heavy_one"),
    "impulses of unilateral constraints in their cones": (
        "laws/motion/test_thousands_in_contact.py", "test_stops_and_unilateral_constraints_hold_in_systems_of_more_than_600_velocities"),
    "joints transmit what they exert": ("laws/motion/test_joint_efforts.py", "test_wrong_forces_that_joints_absorb_are_found"),
    "mass balance of '*'": (MASS, "test_a_wrong_rate_breaks_the_balance_of_mass"),
    "momenta M [v] = Hᵀ P": (FREE, "test_a_number_that_is_wrong_in_the_compiled_steps_breaks_a_law"),
    "momenta change by impulses of contacts": (LIGHT, "test_a_light_body_that_gets_too_little_is_seen_behind_a_heavy_one"),
    "momenta of all blocks": (BLOCKS, "test_steps_with_wrong_numbers_break_a_law"),
    "moments against rolling and spinning": (
        "laws/contact/test_resistance_over_tables.py", "test_steps_with_wrong_lengths_break_a_law"),
    "momentum of '*'": (SHARP, "test_moments_alone_break_a_law"),
    "momentum of the system": (SHARP, "test_momentum_of_the_system_is_measured_by_itself"),
    "no contact is missing": (FREE, "test_a_number_that_is_wrong_in_the_compiled_steps_breaks_a_law"),
    "no penetration": (LIGHT, "test_penetration_is_looked_for_in_every_step"),
    "nothing goes through others": (
        "laws/contact/test_passages_through_surfaces.py", "test_a_motion_through_a_surface_is_not_certified"),
    "power of closing reactions": (LOOPS, "test_a_falsified_loop_fails_its_certificate"),
    "power of potentials": ("laws/certificates/test_broken_actions.py", "test_a_fault_is_noticed"),
    "prescribed bodies": ("exact/bodies/test_prescribed_bodies.py", "test_a_drive_that_is_wrong_by_a_billionth_breaks_the_certificate"),
    "rates of multipliers": (WORK, "test_multipliers_that_are_wrong_by_a_hundredth_fail_the_certificate"),
    "rates q' = N v": (SHARP, "test_a_wheel_that_turns_faster_than_it_says_breaks_only_the_rates"),
    "rolling and spinning M · ω⁺ ≤ 0": (ROLLING, "test_a_moment_beyond_its_limit_or_along_the_turn_breaks_the_certificate"),
    "rolling |M_T| ≤ δ P_N": (ROLLING, "test_a_moment_beyond_its_limit_or_along_the_turn_breaks_the_certificate"),
    "spinning |M_N| ≤ σ P_N": (ROLLING, "test_a_moment_beyond_its_limit_or_along_the_turn_breaks_the_certificate"),
    "stationary action": (
        "laws/lagrangian/test_lagrangian_systems.py", "test_a_force_that_is_wrong_by_a_thousandth_breaks_the_certificate"),
    "velocities after impulses": (ANSWERS, "test_falsified_answers_of_contacts_are_found"),
    "velocities at singular positions": (
        "laws/constraints/test_singular_sets.py", "test_a_motion_that_turns_at_a_double_point_is_not_certified"),
    "weak form equ C = F": (IMPACTS, "test_any_impulse_altered_by_a_hundredth_fails"),
    "weak form, mass input": (WEAK, "test_a_body_moved_at_an_instant_has_mass_input_there"),
    "weak form, outward fields": (WEAK, "test_a_floor_that_pulls_fails_against_outward_fields_whatever_the_impulses_say"),
    "work of reactions": (WORK, "test_efforts_that_lean_towards_the_motion_are_noticed"),
}  # fmt: skip
"""Laws, with the file of a test that breaks them, and its name."""

ESTIMATES = {"time stepping", "hits resolved by steps"}
"""Lines that tell how well steps resolve a motion. They are no laws of mechanics and leave a motion undecided."""

MISSING = {
    "constraints on accelerations",
    "gaps g ≥ 0 of shapes",
    "impulses at closed gaps of shapes",
    "third law of reactions",
    "work of '*' and E[M]",
}
"""Laws that no test breaks by name yet. This set may only become smaller."""


def test_the_table_has_every_law_of_the_sources():
    tables = (HERE, ELSEWHERE, ESTIMATES, MISSING)
    assert set(names_of_laws()) == set().union(*tables)
    assert sum(map(len, tables)) == len(set().union(*tables)), "a law stands twice"


@pytest.mark.parametrize("law", ELSEWHERE)
def test_the_test_that_is_named_exists_and_speaks_of_its_law(law):
    file, name = ELSEWHERE[law]
    source = (TESTS / file).read_text()
    assert name in {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    words = [part for part in law.split("*") if part.strip(" ,'")]
    assert all(part.strip(" '") in source for part in words), words


@pytest.mark.parametrize("law", HERE)
def test_a_falsification_breaks_its_law(law):
    certificate = HERE[law]().audit()
    assert any(fnmatchcase(line, law) for line in broken(certificate)), certificate
