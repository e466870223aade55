"""No body passes through others: the paths of the centers of their shapes."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.impacts.passages import Places, lines_of_passages
from vinculum.contact.free_bodies.observables import matrices
from vinculum.integrators.free_bodies.passages import Passages, axes_of_shapes, centers_of_shapes
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record


def body_passage_lines(motion: Record) -> list[Line]:
    """No center of a body's shape goes through a thin wall or a whole shape between two ends of pieces."""
    through, names = Passages(free_bodies_of(motion.model)), list(motion.model.layout.bodies)
    return lines_of_passages(motion, through, names, lambda t: _places(motion, t))


def _places(motion: Record, times: np.ndarray) -> Places:
    free_bodies = free_bodies_of(motion.model)
    q = motion.pieces.state(times)[:, : 7 * free_bodies.count].reshape(len(times), free_bodies.count, 7)
    x, Q = q[..., :3], q[..., 3:]
    x = x + np.einsum("knij,nj->kni", matrices(Q), free_bodies.centers) if np.any(free_bodies.centers) else x
    return centers_of_shapes(free_bodies, x, Q), lambda: axes_of_shapes(free_bodies, Q)
