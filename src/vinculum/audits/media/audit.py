"""`audit_media`: the balances of mass, momentum and angular momentum of phases of a continuum, on given fields."""

from collections.abc import Sequence

import numpy as np

from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.media.cells import ROWS, Terms, cell_terms, split_box
from vinculum.errors import ModelError
from vinculum.measures.continua.media import Medium, coarsen, is_sampled
from vinculum.screws.entries import numeric, shorten
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.round_off import NEXT_TO_ZERO, ROUND_OFF
from vinculum.tolerances.sizes import MOST_CELLS, NODES_OF_CELLS

LAWS = (("mass", slice(0, 1)), ("momentum", slice(1, 4)), ("angular momentum", slice(4, 7)))
REASON = "quadrature with two rules"


def audit_media(media, box, window, *, cells: int = 2, point=(0.0, 0.0, 0.0)) -> Certificate:
    r"""The certificate of fields: whether each phase, and their sum, obeys (15) in every cell of a box.

    ``media``: a `Medium` or a list of them, the phases. ``box``: two opposite corners (2, 3) [m]; ``window``: two instants [s]; ``cells``:
    how many along each axis and along time; ``point`` (3,) [m]: where moments are reduced. In each cell the change of what is inside and
    what flows out is compared with forces, stresses and sources, in integral form, so that no field is differentiated. Phases exchange
    momentum; their ``exchange`` must cancel, and the sum obeys (15) without it. A stress need not be symmetric: the moment balance
    contains ax 𝒯 by itself. Cheremensky, On Concept of Mechanical System, (15)–(18) and section 2.4.1.
    """
    phases = _phases(media)
    corners, span, at = _box(box), _window(window), _point(point)
    if type(cells) is not int or not 1 <= cells <= MOST_CELLS:
        raise ModelError(f"media: cells {shorten(cells)} must be a whole number from 1 to {MOST_CELLS}")
    found = [_all_cells(one, corners, span, at, cells) for one in phases]
    lines = [
        line
        for one, terms in zip(phases, found, strict=True)
        for line in _lines_of(f"of '{one.name}'", [terms], own=True)
    ]
    if len(phases) > 1:
        lines += [_exchange_line(found), *_lines_of("of the sum", found, own=False)]
    names = ", ".join(one.name for one in phases)
    where = f"{span[0]:g} to {span[1]:g} s, {cells**4} cells of the box {corners[0].tolist()} to {corners[1].tolist()}"
    return Certificate(names, where, tuple(lines))


def _all_cells(medium: Medium, corners, span, point, cells: int) -> list[tuple[Terms, ...]]:
    """Terms of every cell by two rules, and from every second sample where fields are sampled."""
    rules = [(medium, NODES_OF_CELLS), (medium, NODES_OF_CELLS - 2)]
    rules += [(coarsen(medium), NODES_OF_CELLS)] if is_sampled(medium) else []
    return [
        tuple(cell_terms(one, low_high, t, point, order) for one, order in rules)
        for low_high, t in split_box(corners, span, cells)
    ]


def _gap(terms: Sequence[Terms], own: bool) -> np.ndarray:
    """What is left of the balances (7,), of several phases together; ``own``: with what the other phases exert."""
    return np.sum([one.change - one.acted - (one.exchange if own else np.zeros(ROWS)) for one in terms], axis=0)


def _lines_of(whose: str, found: Sequence[list[tuple[Terms, ...]]], own: bool) -> list[Line]:
    """The lines of one phase or of the sum of some: the worst cell, relative to the largest terms in a cell."""
    cells = list(zip(*found, strict=True))
    gaps = np.array([_gap([one[0] for one in cell], own) for cell in cells])
    rules = range(1, max(len(one) for cell in cells for one in cell))
    others = [np.array([_gap([one[min(k, len(one) - 1)] for one in cell], own) for cell in cells]) for k in rules]
    doubts = np.sum([np.abs(other - gaps) for other in others], axis=0)
    sizes = np.max([np.sum([one[0].sizes for one in cell], axis=0) for cell in cells], axis=0)
    lines = []
    for law, rows in LAWS:
        scale = max(float(sizes[rows].max()), NEXT_TO_ZERO)
        k = int(np.argmax(np.abs(gaps[:, rows]).max(axis=1)))
        tolerance = float(doubts[:, rows].max()) / scale + SAFETY * ROUND_OFF
        lines.append(Line(f"{law} {whose}", float(np.abs(gaps[k, rows]).max()) / scale, tolerance, REASON))
    return lines


def _exchange_line(found: Sequence[list[tuple[Terms, ...]]]) -> Line:
    """Whether what phases exert on each other cancels in every cell: Φ is skew, (12)."""
    cells = list(zip(*found, strict=True))
    sums = np.abs([np.sum([one[0].exchange for one in cell], axis=0) for cell in cells])
    sizes = np.max([np.sum([np.abs(one[0].exchange) for one in cell], axis=0) for cell in cells], axis=0)
    parts = [(float(sums[:, rows].max()), max(float(sizes[rows].max()), NEXT_TO_ZERO)) for _, rows in LAWS[1:]]
    return Line(
        "exchange of phases",
        max(x / size for x, size in parts),
        SAFETY * ROUND_OFF * NODES_OF_CELLS**4,
        "forces in pairs",
    )


def _phases(media) -> list[Medium]:
    listed = [media] if isinstance(media, Medium) else media
    if not isinstance(listed, (list, tuple)) or not listed or not all(isinstance(one, Medium) for one in listed):
        raise ModelError(f"media: {shorten(media)} are no phases; give a vc.measures.Medium or a list of them")
    names = [one.name for one in listed]
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise ModelError(f"media: two phases are named '{twice}'; give them different names")
    return list(listed)


def _box(box) -> np.ndarray:
    corners = numeric("media: box", box)
    if corners.shape != (2, 3) or not np.all(np.isfinite(corners)) or not np.all(corners[0] < corners[1]):
        raise ModelError(f"media: box {shorten(box)} must be two opposite corners (2, 3) [m], the lower first")
    return corners


def _window(window) -> np.ndarray:
    span = numeric("media: window", window)
    if span.shape != (2,) or not np.all(np.isfinite(span)) or not span[0] < span[1]:
        raise ModelError(f"media: window {shorten(window)} must be two instants (t₁, t₂) [s] in order")
    return span


def _point(point) -> np.ndarray:
    place = numeric("media: point", point)
    if place.shape != (3,) or not np.all(np.isfinite(place)):
        raise ModelError(f"media: point {shorten(point)} must be three finite numbers [m]")
    return place
