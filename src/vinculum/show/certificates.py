"""A certificate as a colored table."""

from vinculum.audits.certificate import Certificate, why_undecided, worst_lines
from vinculum.show.markup import Markup, badge, element, table

MEANINGS = {"holds": "good", "undecided": "open", "broken": "bad", "passed": "good", "failed": "bad"}


def certificate_table(certificate: Certificate, most: int) -> Markup:
    """Every law with its verdict, residual, tolerance and the reason of the tolerance; of more than ``most`` lines the worst."""
    shown = worst_lines(certificate.lines, most)
    rows = [
        (
            badge(line.verdict, MEANINGS[line.verdict]),
            line.law,
            f"{line.residual:.1e}",
            f"{line.tolerance:.1e}",
            line.reason + (f"; {line.detail}" if line.detail else ""),
        )
        for line in shown
    ]
    found = table(("verdict", "law", "residual", "tolerance", "because"), rows)
    if len(shown) < len(certificate.lines):
        more = len(certificate.lines) - len(shown)
        found += element("p", f"… and {more} more lines, all farther from their tolerance", class_="quiet")
    if certificate.verdict == "undecided":
        found += element("p", f"undecided: {why_undecided(certificate)}")
    return found


def certificate_sum(certificate: Certificate) -> Markup:
    """The verdict, and how many laws hold."""
    held = sum(line.verdict == "holds" for line in certificate.lines)
    word = badge(certificate.verdict, MEANINGS[certificate.verdict])
    return word + element("span", f" {held} of {len(certificate.lines)} laws hold")
