"""Pages of the reference, one for each namespace, written from the table of public names; the docstrings fill them."""

import importlib
import inspect
import re
from pathlib import Path

from vinculum.namespaces import HOMES, TOP, names
from vinculum.scalars import math as scalar_math

SAID = {
    TOP: "Names that are typed as ``vc.System``, after ``import vinculum as vc``. They load when they are first used.",
    "vinculum.constraints": "Constraints that are often needed, more realizations of them, and questions about them.",
    "vinculum.energies": "Energies and dissipations of affine bodies.",
    "vinculum.errors": "The errors of the library. Each message names the object, the value, the condition and a remedy.",
    "vinculum.geometry": "The kinetic energy as a metric: curvature, geodesics, transport, Killing fields, forces as tensor measures; "
    "quantum states on curves and surfaces; curves of stationary action between given ends.",
    "vinculum.hamiltonian": "Hamiltonian systems: brackets, symplectic methods, order and chaos, first integrals.",
    "vinculum.measures": "Integrals over mass measures, screw measures and bi-measures; measures on time and space, for the weak form "
    "of the equations of motion; frames, world-tubes and media.",
    "vinculum.potentials": "Energies between bodies.",
    "vinculum.shapes": "Solids, and surfaces that bodies touch.",
}
RESULTS = {
    "vinculum.audits.action.rates": "ActionRate",
    "vinculum.audits.action.second_variation": "SecondVariation",
    "vinculum.audits.certificate": "Certificate Line",
    "vinculum.audits.exchanges.result": "Balance EnergyBalance MomentumBalance Part",
    "vinculum.audits.invariance.report": "InvarianceReport InvarianceLine",
    "vinculum.bodies.group": "BodyGroup",
    "vinculum.derivations.adiabaticity.report": "Adiabaticity",
    "vinculum.derivations.equations.canonical": "CanonicalEquations",
    "vinculum.derivations.equations.closure": "Closure",
    "vinculum.derivations.equations.code": "Code",
    "vinculum.derivations.equations.equations": "Equations",
    "vinculum.derivations.first_integrals": "FirstIntegrals FirstIntegral",
    "vinculum.derivations.integrability.report": "Dimensions IntegrableRows Integrability",
    "vinculum.derivations.invariance.reduced_potential": "ReducedPotential",
    "vinculum.derivations.inverse_dynamics.inverse_dynamics": "InverseDynamics",
    "vinculum.derivations.lagrangian.legendre": "Legendre",
    "vinculum.derivations.linearization.linearization": "Linearization LinearizedState StateNames",
    "vinculum.derivations.power_series.power_series": "PowerSeries",
    "vinculum.derivations.starts.mobility": "Mobility",
    "vinculum.ensembles.runs": "Runs",
    "vinculum.equations.observables.power_balance": "PowerBalance",
    "vinculum.geometry.boundary_values.curve": "StationaryCurve",
    "vinculum.geometry.carriers.trace_integral": "SecondTraceRate SignCondition TraceRate",
    "vinculum.geometry.fields": "TensorField",
    "vinculum.geometry.quantum.confinement": "Confinement",
    "vinculum.geometry.quantum.packets": "Packet",
    "vinculum.geometry.quantum.states": "States",
    "vinculum.geometry.transport": "Transport",
    "vinculum.geometry.virtual_power": "Distribution",
    "vinculum.geometry.hamiltonian.actions": "ActionAngles",
    "vinculum.geometry.hamiltonian.functions": "PhaseFunction",
    "vinculum.geometry.hamiltonian.lyapunov": "CovariantVectors LyapunovSpectrum",
    "vinculum.geometry.hamiltonian.motion": "PhaseMotion",
    "vinculum.geometry.hamiltonian.periodic": "PeriodicOrbit",
    "vinculum.geometry.hamiltonian.polynomials": "PolynomialIntegrals",
    "vinculum.geometry.hamiltonian.sections": "PoincareSection",
    "vinculum.geometry.hamiltonian.spectral": "Frequencies",
    "vinculum.measures.bimeasures.bimeasure": "PairAction",
    "vinculum.measures.integrals": "Moments",
    "vinculum.measures.integration": "Integral",
    "vinculum.measures.frames": "ChangeOfFrame",
    "vinculum.motion.impulses.contact_impulses": "ContactImpulses GivenImpulse JointImpulses",
    "vinculum.motion.lagrangian.bond": "LagrangianBondMotion",
    "vinculum.motion.views.affine": "AffineMotion",
    "vinculum.motion.views.bodies": "BodiesMotion",
    "vinculum.motion.views.body": "BodyMotion PointMotion",
    "vinculum.motion.views.bond": "BondMotion",
    "vinculum.motion.views.drive": "DriveMotion",
    "vinculum.motion.views.environment": "Environment",
    "vinculum.motion.views.joint": "JointMotion",
    "vinculum.motion.views.measures": "MeasuresMotion",
    "vinculum.motion.views.servos": "ServosMotion",
    "vinculum.motion.record": "Record",
    "vinculum.motion.recorded_motion": "MotionPlot",
    "vinculum.simulation.comparison": "Comparison",
}
"""Classes of what public functions return, and where they are."""


CODE = re.compile(r"(``.+?``|:\w+:`.+?`|`.+?`)")


def setup(app):
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", escape_bars)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(app) -> None:
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    for namespace in HOMES:
        write_page(
            folder / f"{namespace}.rst", [_head(namespace), SAID[namespace], *_entries({namespace: names(namespace)})]
        )
    results = {module: words.split() for module, words in RESULTS.items()}
    write_page(
        folder / "results.rst",
        [_head("Results"), "What functions return. Nobody makes these objects by name.", *_entries(results)],
    )
    said = "Functions of floats, arrays and symbols, for energies, gaps and forces of your own: ``vc.math.sin``."
    write_page(folder / "vinculum.math.rst", [_head("vinculum.math"), said, *_functions_of_math()])


def escape_bars(app, what, name, thing, options, lines: list[str]) -> None:
    """The bars of |λ| in a docstring are bars, not the substitutions of reStructuredText; formulas and code are left alone."""
    margin = None
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if line.strip() and margin is not None and indent <= margin:
            margin = None
        if line.lstrip().startswith(".. math::"):
            margin = indent
        if margin is None:
            lines[number] = _with_bars_escaped(line)


def _with_bars_escaped(line: str) -> str:
    return "".join(part if CODE.fullmatch(part) else part.replace("|", r"\|") for part in CODE.split(line))


def write_page(path: Path, parts: list[str]) -> None:
    """A page is written only where it changes: Sphinx reads changed files again."""
    text = "\n\n".join(parts) + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _head(title: str) -> str:
    return f"{title}\n{'=' * len(title)}"


def _entries(shown: dict[str, list[str]]):
    for module, words in shown.items():
        for name in words:
            thing = getattr(importlib.import_module(module), name)
            if not isinstance(thing, type):
                yield f".. autofunction:: {module}.{name}"
            elif issubclass(thing, Exception):
                yield f".. autoexception:: {module}.{name}"
            else:
                yield f".. autoclass:: {module}.{name}\n   :members:"


def _functions_of_math():
    own = sorted(name for name in vars(scalar_math) if not name.startswith("_") and _is_own(name))
    return [f".. py:function:: vinculum.math.{name}\n\n   {_first_line(getattr(scalar_math, name))}" for name in own]


def _is_own(name: str) -> bool:
    thing = getattr(scalar_math, name)
    return callable(thing) and getattr(thing, "__module__", "") == scalar_math.__name__ and not isinstance(thing, type)


def _first_line(thing) -> str:
    return _with_bars_escaped((inspect.getdoc(thing) or "").partition("\n")[0])
