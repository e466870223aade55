"""The public names: where each is defined, and how it is found at the top of the package or in one of its families.

A name is public in one place. A new one is one word in this table; its module is loaded when it is first used.
"""

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from vinculum.upward import import_module

TOP = "vinculum"
HOMES: dict[str, dict[str, str]] = {
    TOP: {
        "vinculum.audits.invariance.invariance": "audit_invariance",
        "vinculum.bodies": "AffineBody MassPoint MassSource PointBody PrescribedBody RigidBody",
        "vinculum.bonds": "Bonds Chetaev Constraint Contact Coulomb Cylindrical DAlembert Damper Elastic Force Free Helical Impulse "
                          "Inelastic Interaction Newton Penalty Planar Poisson Potential Prismatic Revolute Servo Spherical "
                          "Spring Translation Unilateral Universal Vakonomic Weld",
        "vinculum.derivations": "derive",
        "vinculum.derivations.first_integrals": "first_integrals",
        "vinculum.derivations.forward_dynamics.forward_dynamics": "forward_dynamics",
        "vinculum.derivations.inverse_dynamics.inverse_dynamics": "inverse_dynamics",
        "vinculum.derivations.lagrangian.system": "LagrangianSystem",
        "vinculum.derivations.linearization.linearize": "linearize",
        "vinculum.derivations.power_series.power_series": "power_series",
        "vinculum.derivations.starts.mobility": "mobility",
        "vinculum.ensembles": "ensemble",
        "vinculum.measures.measure": "Measure",
        "vinculum.motion": "Motion",
        "vinculum.motion.given_motion": "given_motion",
        "vinculum.motion.lagrangian.motion": "LagrangianMotion",
        "vinculum.motion.storage.store": "load",
        "vinculum.scalars": "parameter Table",
        "vinculum.screws": "Pose Wrench",
        "vinculum.simulation": "simulate",
        "vinculum.systems": "At Event System",
        "vinculum.systems.files": "read_model",
    },
    "vinculum.constraints": {
        "vinculum.bonds.joints": "Limits",
        "vinculum.bonds.constraints": "AddedInertia Reaching Rolling ViscousFriction constant_speed distance gear "
                                      "incompressible invariant_constraint invariant_rows knife_edge no_twist "
                                      "point_on_curve point_on_surface "
                                      "rotationless",
        "vinculum.derivations.adiabaticity.adiabaticity": "adiabaticity",
        "vinculum.derivations.integrability.integrability": "integrability",
        "vinculum.equations.observables.power_balance": "solve_power_balance",
        "vinculum.simulation.comparison": "compare_realizations",
    },
    "vinculum.energies": {
        "vinculum.bodies.affine.dissipations": "NewtonianViscosity",
        "vinculum.bodies.affine.energies": "FluidLike Isotropic NeoHookean RigidLimit SaintVenantKirchhoff SelfGravity",
    },
    "vinculum.errors": {
        "vinculum.errors": "FileError MethodError ModelError RunError StartError SymbolError VinculumError",
    },
    "vinculum.geometry": {
        "vinculum.geometry.boundary_values.connecting": "geodesic_between",
        "vinculum.geometry.boundary_values.problem": "BoundaryValueProblem",
        "vinculum.audits.action.audit": "audit_action",
        "vinculum.audits.action.rates": "action_rate",
        "vinculum.audits.action.second_variation": "second_variation",
        "vinculum.geometry.carriers.carrier": "Carrier",
        "vinculum.geometry.carriers.lie_derivative": "lie_derivative",
        "vinculum.geometry.carriers.trace_integral": "second_trace_rate sign_condition trace_rate",
        "vinculum.geometry.connection": "covariant_derivative laplace_beltrami",
        "vinculum.geometry.embedding": "Embedding",
        "vinculum.geometry.virtual_power": "deformation divergence equilibrium",
        "vinculum.geometry.geodesics": "exponential geodesic",
        "vinculum.geometry.killing": "first_integral killing_fields",
        "vinculum.geometry.metric": "Metric",
        "vinculum.geometry.quantum.confinement": "compare_confinement confine",
        "vinculum.geometry.quantum.quantization": "Quantization",
        "vinculum.geometry.sectional": "sectional_curvature",
        "vinculum.geometry.tensor_measure": "TensorMeasure",
        "vinculum.geometry.transport": "parallel_transport",
    },
    "vinculum.hamiltonian": {
        "vinculum.geometry.hamiltonian.actions": "action_angles",
        "vinculum.geometry.hamiltonian.lyapunov": "covariant_vectors lyapunov_spectrum",
        "vinculum.geometry.hamiltonian.periodic": "periodic_orbit",
        "vinculum.geometry.hamiltonian.polynomials": "polynomial_integrals",
        "vinculum.geometry.hamiltonian.sections": "poincare_section",
        "vinculum.geometry.hamiltonian.spectral": "frequencies",
        "vinculum.geometry.hamiltonian.symplectic.integrate_perturbed": "integrate_perturbed",
        "vinculum.geometry.hamiltonian.symplectic.integrate_steps": "integrate",
        "vinculum.geometry.hamiltonian.symplectic.planets": "Planets",
        "vinculum.geometry.hamiltonian.symplectic.solved_parts": "Kepler Quadratic",
        "vinculum.geometry.hamiltonian.system": "Hamiltonian",
        "vinculum.geometry.hamiltonian.walls": "Wall",
    },
    "vinculum.measures": {
        "vinculum.audits.weak.residual": "weak_residual",
        "vinculum.measures.bimeasures.bimeasure": "SkewBimeasure",
        "vinculum.audits.media.audit": "audit_media",
        "vinculum.measures.bumps": "Bump VectorBump",
        "vinculum.measures.efforts": "EffortMeasure",
        "vinculum.measures.frames": "change_of_frame",
        "vinculum.measures.integrals": "integral kinetic_energy moments",
        "vinculum.measures.kinetic": "BoundaryAtoms KineticMeasure",
        "vinculum.measures.screw_measure": "ScrewMeasure",
        "vinculum.measures.continua.media": "Medium SampledField",
        "vinculum.measures.windows": "Face Window",
        "vinculum.measures.continua.world_tubes": "WorldTube",
        "vinculum.screws": "Slider",
    },
    "vinculum.potentials": {
        "vinculum.bonds": "Bushing CoulombCharges Gravitation LennardJones MagneticDipoles Morse PairPotential TorsionSpring "
                          "UniformGravity",
        "vinculum.derivations.invariance.reduction_of_potentials": "reduce_invariant",
    },
    "vinculum.shapes": {
        "vinculum.bonds": "FixedSolid HalfSpace HeightField Mesh TwoSidedPlane",
        "vinculum.measures.meshes.polyhedron": "Polyhedron",
        "vinculum.measures.meshes.tetrahedra": "Tetrahedra",
        "vinculum.measures.meshes.polytope": "Polytope",
        "vinculum.measures.solids.corners": "Corners",
        "vinculum.measures.solids.elementary": "Box Capsule Cone Cylinder Ellipsoid Sphere",
    },
}  # fmt: skip
"""Namespaces; in each the modules whose names it shows."""
RESULTS = ("ActionAngles", "ActionRate", "Adiabaticity", "AffineMotion", "Balance", "BodiesMotion", "BodyGroup", "BodyMotion",
           "BondMotion", "CanonicalEquations", "Certificate", "ChangeOfFrame", "Closure", "Code", "Comparison", "Confinement",
           "ContactImpulses", "CovariantVectors", "Dimensions", "Distribution", "DriveMotion", "EnergyBalance", "Environment",
           "Equations", "FirstIntegral", "FirstIntegrals", "Frequencies", "GivenImpulse", "Integrability", "IntegrableRows", "Integral",
           "InvarianceLine", "InvarianceReport", "InverseDynamics", "JointImpulses", "JointMotion", "LagrangianBondMotion", "Legendre",
           "Line", "Linearization", "LinearizedState", "LyapunovSpectrum", "MeasuresMotion", "Mobility", "Moments", "MomentumBalance",
           "MotionPlot", "Packet", "PairAction", "Part", "PeriodicOrbit", "PhaseFunction", "PhaseMotion", "PoincareSection",
           "PointMotion", "PolynomialIntegrals", "PowerBalance", "PowerSeries", "ReducedPotential", "Runs", "SecondTraceRate",
           "SecondVariation", "ServosMotion", "SignCondition", "StateNames", "States", "StationaryCurve", "TensorField", "TraceRate",
           "Transport")  # fmt: skip
"""Classes of what public functions return: users do not make them."""


def names(namespace: str) -> list[str]:
    """Public names of a namespace."""
    return sorted(name for words in HOMES[namespace].values() for name in words.split())


def spelling(namespace: str, name: str) -> str:
    """A public name as users type it after ``import vinculum as vc``."""
    return f"vc{namespace.removeprefix(TOP)}.{name}"


def lazy(namespace: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a module that shows the names of a namespace."""
    homes = {name: home for home, words in HOMES[namespace].items() for name in words.split()}
    shown = names(namespace)

    def find(name: str) -> Any:
        if name not in homes:
            known = [(spelling(other, one), one) for other in HOMES for one in names(other)]
            elsewhere = [found for found, one in known if one == name or one.lower() == name.lower()]
            remedy = f"; it is {elsewhere[0]}" if elsewhere else ""
            raise AttributeError(f"module {namespace!r} has no attribute {name!r}{remedy}")
        found = _guard(namespace, name, getattr(import_module(homes[name]), name))
        setattr(sys.modules[namespace], name, found)
        return found

    return find, lambda: shown, shown


def _guard(namespace: str, name: str, thing):
    """A public object with checked calls."""
    from vinculum.errors import call_checks

    call_checks.show(_spellings())
    if isinstance(thing, type):
        return call_checks.doors(thing)
    guarded = call_checks.door(thing, spelling(namespace, name))
    guarded.__module__ = namespace
    return guarded


@cache
def _spellings() -> dict[str, str]:
    public = {name: spelling(namespace, name) for namespace in HOMES for name in names(namespace)}
    return public | {name: name for name in RESULTS}
