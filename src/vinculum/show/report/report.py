"""`write_report`: a motion in one HTML file, from the picture of its system to the hash of its model."""

import hashlib
import html
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from vinculum.audits.audit import audit
from vinculum.audits.certificate import Certificate
from vinculum.derivations.printing.mathml import mathml_block
from vinculum.errors import VinculumError
from vinculum.motion.method import GIVEN
from vinculum.motion.storage.recorder import model_bytes
from vinculum.motion.storage.versions import installed_versions
from vinculum.show.by_type import plot_motion
from vinculum.show.certificates import MEANINGS, certificate_sum, certificate_table
from vinculum.show.contents import tables
from vinculum.show.files import checked_own_target, write_whole
from vinculum.show.markup import Markup, badge, drawing, element, facts, picture
from vinculum.show.page.page import SUFFIXES, Page
from vinculum.show.plots.panels import Panel, curves
from vinculum.show.report.by_type import REPORTS, ReportOfType
from vinculum.show.views import picture_of_motion
from vinculum.tolerances.sizes import CHARACTERS_TYPESET, LINES_REPORTED

HERE = Path(__file__).parent


def checked_report(path) -> Path:
    """The file of a report, checked before anything is computed."""
    return checked_own_target("report", path, SUFFIXES, "report.html")


def report_motion(motion: Any, path, draw: Callable | None = None) -> Page:
    """Write the report on a motion, all or nothing."""
    return write_report(motion, checked_report(path), draw)


def write_report(
    motion: Any, target: Path, draw: Callable | None = None, certificate: Certificate | None = None
) -> Page:
    """Write the report on a motion; ``certificate``: that of the motion, if it is known already."""
    content = report_text(motion, draw, audit(motion) if certificate is None else certificate).encode()
    write_whole("report", target, lambda file: file.write(content))
    return Page(target)


def report_text(motion: Any, draw: Callable | None, certificate: Certificate) -> str:
    """The report as text: everything is in it, and it fetches nothing."""
    name, answers = motion.model.name, REPORTS.of(motion.model)
    sections = [
        ("System", _pictures(motion, draw) + tables(answers.contents(motion))),
        ("Equations of motion", _equations(answers, motion)),
        ("Motion", drawing(plot_motion(motion), "motion")),
        ("Energy", _figure(answers, motion, answers.energy(motion), "energy")),
        ("Reactions and forces", _figure(answers, motion, answers.reactions(motion), "reactions")),
        ("Certificate", element("p", certificate_sum(certificate)) + certificate_table(certificate, LINES_REPORTED)),
        ("How it was computed", _computation(motion)),
    ]
    body = element("h1", name, Markup(" "), badge(certificate.verdict, MEANINGS[certificate.verdict]))
    body += element("p", repr(motion), class_="quiet")
    for title, content in sections:
        if content.text:
            body += element("section", element("h2", title), content)
    pieces = {"title": html.escape(name), "style": _piece("style.css"), "body": body.text}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: pieces[found[1]], _piece("report.html"))


@cache
def _piece(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _pictures(motion: Any, draw: Callable | None) -> Markup:
    """The system at the start and at the end; nothing where there is nothing to draw."""
    found = Markup("")
    for word, t in (("start", motion.pieces.begin), ("end", motion.pieces.end)):
        try:
            figure = picture_of_motion(motion, t, None, None, None, draw)
        except VinculumError as error:
            if draw is not None:
                raise
            return element("p", f"Not drawn: {error}", class_="quiet")
        shown = picture(figure, f"{motion.model.name} at its {word}")
        found += element("figure", shown, element("figcaption", f"at the {word}, t = {t:g}"))
    return element("div", found, class_="pictures")


def _equations(answers: ReportOfType, motion: Any) -> Markup:
    found = answers.formulas(motion)
    words = element("p", found.words)
    if not found.lines:
        return words
    if sum(map(len, found.lines)) > CHARACTERS_TYPESET:
        return words + element("p", "They are too long to be typeset; vc.derive(system).lines() has them.")
    source = element("details", element("summary", "in LaTeX"), element("pre", "\n".join(found.lines)))
    return words + Markup(mathml_block(found.lines)) + source


def _figure(answers: ReportOfType, motion: Any, panels: list[Panel], salt: str) -> Markup:
    return drawing(curves(motion, panels, answers.time), salt) if panels else Markup("")


def _computation(motion: Any) -> Markup:
    """Method, tolerances, versions, parameters, remarks and the hash of the model."""
    claims, method = motion.method.claims, motion.method
    rows: list[tuple[str, Any]] = [("method", f"{claims.name} ({claims.reference})")]
    rows += [("order", "adapts" if claims.order == 0 else claims.order)]
    settings = {
        "tolerance": method.tolerance,
        "step": method.step,
        "longest step": method.max_step,
        "theta": method.theta,
    }
    rows += [(name, f"{x:g}") for name, x in settings.items() if x is not None]
    rows += [("impacts", method.impacts)] * bool(method.impacts)
    rows += [("steps", len(motion.pieces)), ("instants of the plots", len(motion.time))]
    rows += [
        ("from", f"{motion.pieces.begin:g} to {motion.pieces.end:g}"),
        ("degrees of freedom", motion.model.freedoms),
    ]
    rows += [("ended", "early, by the user")] * motion.interrupted
    rows += [(f"parameter {name}", repr(float(x))) for name, x in motion.parameters.items()]
    rows += [("remark", line) for line in motion.log]
    model = hashlib.sha256(model_bytes(motion.model, motion.parameters)).hexdigest()
    rows += [("model, SHA-256", element("code", model))]
    made, here = motion.made_by or installed_versions(), installed_versions()
    rows += [("computed by", made)] * (claims is not GIVEN)
    rows += [("report made by", here)] * (claims is GIVEN or made != here)
    return facts(rows)
