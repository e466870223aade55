"""What a notebook shows, by the class of the thing: HTML, and LaTeX where there are formulas. Colors go with a light and a dark page."""

from collections.abc import Callable
from functools import cache, singledispatch
from pathlib import Path
from typing import Any

import numpy as np

from vinculum.audits.certificate import Certificate
from vinculum.audits.exchanges.result import Balance
from vinculum.derivations.equations.equations import Equations
from vinculum.derivations.lagrangian.canonical import Canonical
from vinculum.derivations.lagrangian.euler_lagrange import EulerLagrange
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.derivations.linearization.linearization import Linearization, mode_table
from vinculum.derivations.printing.mathml import mathml_block
from vinculum.ensembles.runs import Runs
from vinculum.errors import MethodError, VinculumError, absence
from vinculum.motion.recorded_motion import RecordedMotion
from vinculum.show.balances import balance_table, plot_balance
from vinculum.show.by_type import plot_motion
from vinculum.show.certificates import certificate_sum, certificate_table
from vinculum.show.contents import system_contents, tables
from vinculum.show.markup import Markup, badge, element, facts, picture, table
from vinculum.show.notebook.linear import state_equation
from vinculum.show.notebook.many_runs import run_table
from vinculum.show.plots.runs import plot_runs
from vinculum.show.views import picture_of_motion, picture_of_system
from vinculum.systems.system import System
from vinculum.tolerances.sizes import (
    BODIES_PICTURED,
    CERTIFICATE_LINES,
    CHARACTERS_TYPESET,
    FREEDOMS_TYPESET,
    STATES_TYPESET,
)
from vinculum.tolerances.time import SECONDS_IN_NOTEBOOK


def html_of(thing: Any) -> str:
    """The thing as HTML that can stand in a page of any color; as text where a package that would set it is absent."""
    try:
        shown = content_of(thing)
    except (ImportError, MethodError) as error:
        shown = element("pre", repr(thing)) + _absence(error)
    return element("div", Markup(f"<style>{_style()}</style>"), shown, class_="vinculum").text


def formulas_of(thing: Any) -> str | None:
    """The formulas of a thing in LaTeX; None if it has none, or where the package that writes them is absent."""
    try:
        return latex_of(thing)
    except (ImportError, MethodError) as error:
        _absence(error)
        return None


def _picture_or_absence(figure: Callable[[], Any], alt: str) -> Markup:
    """A picture, or the sentence that says what it needs."""
    try:
        return picture(figure(), alt)
    except (ImportError, MethodError) as error:
        return _absence(error)


def _absence(error: Exception) -> Markup:
    """The package that is absent, in a sentence; any other error is raised again."""
    absent = absence(error)
    if absent is None:
        raise error
    return element("p", f"Not drawn: {absent}.")


@cache
def _style() -> str:
    return (Path(__file__).parent / "style.css").read_text(encoding="utf-8")


@singledispatch
def content_of(thing: Any) -> Markup:
    """What stands in the output of a cell."""
    return element("pre", str(thing))


@singledispatch
def latex_of(thing: Any) -> str | None:
    """The formulas of a thing in LaTeX; None if it has none."""
    return None


def typeset(lines: list[str]) -> Markup:
    """Equations one below the other, unless they are too long to be read."""
    if sum(map(len, lines)) > CHARACTERS_TYPESET:
        return element("p", f"The {len(lines)} equations are too long to be shown here; lines() and latex() have them.")
    return Markup(mathml_block(lines))


@content_of.register
def _(thing: System) -> Markup:
    head = element("h3", f"System “{thing.name}”")
    gravity = Markup("") if not np.any(thing.gravity != 0.0) else element("p", f"gravity {_vector(thing.gravity)} m/s²")
    return head + gravity + _picture_of_system(thing) + tables(system_contents(thing))


def _vector(x: Any) -> str:
    return f"({', '.join(str(one) if not isinstance(one, float) else f'{one:g}' for one in np.asarray(x).tolist())})"


def _picture_of_system(system: System) -> Markup:
    if not 0 < len(system.bodies) <= BODIES_PICTURED:
        return Markup("")
    try:
        return _picture_or_absence(lambda: picture_of_system(system), f"the system {system.name}")
    except VinculumError as error:
        return element("p", f"not drawn: {error}", class_="quiet")


@content_of.register
def _(thing: LagrangianSystem) -> Markup:
    rows: list[tuple[str, Any]] = [("coordinates", ", ".join(thing.coordinates)), ("order", thing.order)]
    rows += [("constraint", f"{name} ({type(how).__name__})") for name, (_, how) in (thing.constraints or {}).items()]
    rows += [("parameter", f"{name} = {value:g}") for name, value in thing.parameters.items()]
    return element("h3", f"Lagrangian system “{thing.name}”") + facts(rows) + content_of(thing.equations())


@latex_of.register
def _(thing: LagrangianSystem) -> str | None:
    return latex_of(thing.equations())


@content_of.register
def _(thing: Equations) -> Markup:
    found = element("h3", repr(thing))
    if len(thing.graphs.state.v) > FREEDOMS_TYPESET:
        return found + element(
            "p", "Equations of so many velocities are not shown here; lines() and latex() have them."
        )
    found += typeset(thing.lines(SECONDS_IN_NOTEBOOK))
    return found + Markup("".join(element("p", f"note: {note}").text for note in thing.graphs.notes))


@latex_of.register
def _(thing: Equations) -> str | None:
    if len(thing.graphs.state.v) > FREEDOMS_TYPESET:
        return None
    return f"$${thing.latex(SECONDS_IN_NOTEBOOK)}$$"


@content_of.register(EulerLagrange)
@content_of.register(Canonical)
def _(thing: Any) -> Markup:
    return element("h3", repr(thing)) + typeset(thing.latex().splitlines())


@latex_of.register(EulerLagrange)
@latex_of.register(Canonical)
def _(thing: Any) -> str | None:
    rows = " \\\\\n".join(line.replace(" = ", " &= ", 1) for line in thing.latex().splitlines())
    return f"$$\\begin{{aligned}}\n{rows}\n\\end{{aligned}}$$"


@content_of.register
def _(thing: RecordedMotion) -> Markup:
    record = thing.record
    rows: list[tuple[str, Any]] = [("degrees of freedom", record.model.freedoms), ("method", record.method)]
    rows += [("parameters", ", ".join(f"{name} = {x:g}" for name, x in record.parameters.items()))] * bool(
        record.parameters
    )
    rows += [("remark", line) for line in record.log]
    return element("h3", repr(thing)) + facts(rows) + _picture_of_motion(record)


def _picture_of_motion(record: Any) -> Markup:
    """The end of the motion in space; where nothing can be drawn, its curves."""
    if len(record.model.layout.bodies) > BODIES_PICTURED:
        return Markup("")
    try:
        return _picture_or_absence(
            lambda: picture_of_motion(record, None, None, None, None, None), f"the end of {record!r}"
        )
    except VinculumError:
        return _picture_or_absence(lambda: plot_motion(record), f"curves of {record!r}")


@content_of.register
def _(thing: Certificate) -> Markup:
    head = element("h3", f"Certificate of “{thing.system}” ")
    told = element("p", certificate_sum(thing), element("span", f" · {thing.motion}", class_="quiet"))
    return head + told + certificate_table(thing, CERTIFICATE_LINES)


@content_of.register
def _(thing: Balance) -> Markup:
    window = f"{thing.window[0]:g} to {thing.window[1]:g} s"
    head = element("h3", f"Balance of {', '.join(thing.bodies)} in “{thing.system}”, {window}")
    return (
        head
        + balance_table(thing)
        + _picture_or_absence(lambda: plot_balance(thing), f"the balance of {', '.join(thing.bodies)}")
    )


@content_of.register
def _(thing: Linearization) -> Markup:
    about = "a steady motion" if thing.about.moves else "rest"
    head, *rows = mode_table(thing)
    found = element("h3", f"“{thing.system}” linearized about {about}")
    found += table((*head, ""), [(*row, _tendency(row[2])) for row in rows])
    if 0 < len(thing.A) <= STATES_TYPESET:
        found += typeset([state_equation(thing)])
    return found + Markup("".join(element("p", line, class_="quiet").text for line in thing.log))


def _tendency(damping: str) -> Markup:
    """Whether a mode grows, read from its damping ratio as it is shown."""
    if not damping or float(damping) == 0.0:
        return badge("neither grows nor decays", "open")
    return badge("decays", "good") if float(damping) > 0.0 else badge("grows", "bad")


@latex_of.register
def _(thing: Linearization) -> str | None:
    return f"$${state_equation(thing)}$$" if 0 < len(thing.A) <= STATES_TYPESET else None


@content_of.register
def _(thing: Runs) -> Markup:
    found = element("h3", repr(thing))
    if thing.interrupted:
        found += element("p", badge("interrupted", "open"))
    return found + run_table(thing) + _picture_or_absence(lambda: plot_runs(thing), f"coordinates of {thing!r}")
