"""Vinculum: classical mechanics as one system. Bodies and bonds in; equations, motion and proof out."""

import importlib

__version__ = "0.1.0"

_HOMES = {
    "vinculum.audits.invariance.invariance": ("audit_invariance",),
    "vinculum.audits.invariance.report": ("InvarianceLine", "InvarianceReport"),
    "vinculum.bodies": ("MassPoint", "PrescribedBody", "RigidBody"),
    "vinculum.bonds": ("AddedInertia", "Unilateral", "Bushing", "Chetaev", "Constraint", "Contact", "Coulomb",
                       "CoulombCharges", "Cylindrical", "DAlembert", "Damper", "Elastic", "Force", "Free", "Friction",
                       "Gravitation", "HalfSpace", "HeightField", "Helical", "Impulse", "Interaction", "LennardJones", "MagneticDipoles",
                       "Mesh", "Morse", "Newton", "PairPotential", "Penalty", "Planar", "Plane", "Poisson", "Potential", "Prismatic",
                       "Reaching", "Revolute", "Servo", "Inelastic", "Spherical", "Spring", "TorsionSpring", "Translation",
                       "UniformGravity", "Universal", "Vakonomic", "Wall", "Weld"),
    "vinculum.bonds.constraints": ("ConstantSpeed", "Distance", "Gear", "InvariantConstraint", "InvariantRows", "KnifeEdge",
                                   "NoTwist", "PointOnCurve", "PointOnSurface", "Rolling"),
    "vinculum.derivations": ("Equations", "derive"),
    "vinculum.derivations.adiabaticity.adiabaticity": ("adiabaticity",),
    "vinculum.derivations.adiabaticity.report": ("Adiabaticity",),
    "vinculum.derivations.first_integrals": ("FirstIntegral", "FirstIntegrals", "first_integrals"),
    "vinculum.derivations.forward_dynamics.forward_dynamics": ("forward_dynamics",),
    "vinculum.derivations.integrability.integrability": ("integrability",),
    "vinculum.derivations.integrability.report": ("Integrability",),
    "vinculum.derivations.inverse_dynamics.inverse_dynamics": ("InverseDynamics", "inverse_dynamics"),
    "vinculum.derivations.lagrangian.system": ("LagrangianSystem",),
    "vinculum.derivations.linearization.linearization": ("Linearization",),
    "vinculum.derivations.linearization.linearize": ("linearize",),
    "vinculum.derivations.starts.mobility": ("mobility",),
    "vinculum.derivations.power_series.power_series": ("PowerSeries", "power_series"),
    "vinculum.derivations.invariance.reduced_potential": ("ReducedPotential",),
    "vinculum.derivations.invariance.reduction_of_potentials": ("reduce_invariant",),
    "vinculum.ensembles": ("ensemble",),
    "vinculum.equations.observables.power_balance": ("PowerBalance", "solve_power_balance"),
    "vinculum.errors": ("FileError", "MethodError", "ModelError", "RunError", "StartError", "SymbolError", "VinculumError"),
    "vinculum.measures": ("Box", "Capsule", "Cone", "Cylinder", "Ellipsoid", "Measure", "Polytope", "Sphere"),
    "vinculum.measures.bumps": ("Bump", "VectorBump"),
    "vinculum.measures.efforts": ("EffortMeasure",),
    "vinculum.measures.kinetic": ("BoundaryAtoms", "KineticMeasure"),
    "vinculum.measures.frames": ("change_of_frame",),
    "vinculum.measures.windows": ("Face", "Window"),
    "vinculum.motion": ("Motion",),
    "vinculum.simulation": ("simulate",),
    "vinculum.simulation.comparison": ("Comparison", "compare_realizations"),
    "vinculum.motion.lagrangian.motion": ("LagrangianMotion",),
    "vinculum.motion.storage.store": ("load",),
    "vinculum.scalars": ("Parameter", "Scalar", "Table"),
    "vinculum.screws": ("Pose", "Slider", "Wrench"),
    "vinculum.systems": ("At", "Event", "System"),
    "vinculum.systems.files": ("read_model",),
}  # fmt: skip
_RESULTS = ("Certificate", "GivenImpulse", "JointImpulses", "Line", "Mobility", "ContactImpulses", "Runs")
"""Classes of what public functions return besides."""
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", "math", *_HOME]


def __getattr__(name: str):
    if name == "math":
        return importlib.import_module("vinculum.scalars.math")
    if name not in _HOME:
        raise AttributeError(f"module 'vinculum' has no attribute {name!r}")
    thing = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = thing = _with_doors(name, thing)
    return thing


def _with_doors(name: str, thing):
    """What is public, with a door before it; a symbol is made too often for that, and errors are errors."""
    from vinculum import doors

    doors.show((*_HOME, *_RESULTS))
    if isinstance(thing, type):
        return thing if name == "Scalar" or issubclass(thing, Exception) else doors.doors(thing)
    guarded = doors.door(thing, f"vc.{name}")
    guarded.__module__ = __name__
    return guarded


def __dir__():
    return sorted(__all__)
