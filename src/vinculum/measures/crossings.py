"""Where a path crosses the faces of a window."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from vinculum.measures.windows import Window
from vinculum.tolerances.samples import CROSSING_SAMPLES
from vinculum.tolerances.time import CROSSING_FOUND, CROSSING_FOUND_RELATIVE, CROSSINGS_TOGETHER


@final
@dataclass(frozen=True)
class Span:
    """A stretch of time in which a path is shown, and whether what happens at its ends is shown too."""

    begin: float
    end: float
    closed_begin: bool
    closed_end: bool

    def holds(self, t: float) -> bool:
        """Whether an instant belongs to it."""
        return (
            self.begin < t < self.end or (t == self.begin and self.closed_begin) or (t == self.end and self.closed_end)
        )


def spans_inside(path: Any, span: Span, window: Window) -> list[Span]:
    """The stretches of a span in which a path (`Trajectory`) is in a window, with crossings located to round-off."""
    cuts = _cuts(path, span, window)
    found: list[Span] = []
    for a, b in pairwise(cuts):
        if not _contains(path, window, 0.5 * (a + b)):
            continue
        begins, ends = (_contains(path, window, t) for t in (a, b))
        begins, ends = begins and (a > span.begin or span.closed_begin), ends and (b < span.end or span.closed_end)
        if found and found[-1].end == a and begins:
            found[-1] = Span(found[-1].begin, b, found[-1].closed_begin, ends)
        else:
            found.append(Span(a, b, begins, ends))
    return found


def _cuts(path: Any, span: Span, window: Window) -> list[float]:
    """Ends of the span and of pieces, crossings of faces, and instants at which a face is touched between."""
    from scipy.optimize import brentq

    cuts = [span.begin, span.end]
    for k in path.pieces(span.begin, span.end):
        a, b = max(span.begin, float(path.edges[k])), min(span.end, float(path.edges[k + 1]))
        cuts += [a, b]
        s = np.linspace(a, b, CROSSING_SAMPLES)
        for face in window.faces:
            values = face.at(path.at(s, k)[0])

            def beyond(t, face=face, k=k):
                return float(face.at(path.at(np.array([t]), k)[0])[0])

            cuts += [float(s[i]) for i in np.flatnonzero(values == 0.0)]
            for i in np.flatnonzero(values[:-1] * values[1:] < 0.0):
                root: Any = brentq(
                    beyond, s[i], s[i + 1], xtol=CROSSING_FOUND, rtol=np.float64(CROSSING_FOUND_RELATIVE)
                )
                cuts.append(float(root))
    cuts = sorted(cuts)
    least = CROSSINGS_TOGETHER * max(1.0, abs(span.begin), abs(span.end))
    kept = [cuts[0]]
    for t in cuts[1:]:
        if t - kept[-1] > least:
            kept.append(t)
    kept[-1] = span.end if span.end - kept[-1] <= least else kept[-1]
    return kept


def _contains(path: Any, window: Window, t: float) -> bool:
    k = int(np.clip(np.searchsorted(path.edges, t, side="right") - 1, 0, len(path.paths) - 1))
    return bool(window.contains(path.at(np.array([t]), k)[0])[0])
