"""What all that is outside some bodies exerts on them, at the instants of a motion."""

from vinculum.audits.exchanges.bodies import chosen_bodies
from vinculum.audits.exchanges.by_type import EXCHANGES, Wrenches
from vinculum.motion.frames.carried import relative_record
from vinculum.motion.record import Record
from vinculum.motion.views.environment import Environment


def environment_of(record: Record, names: tuple[str, ...]) -> Environment:
    """Wrenches (T, 6) at the world's origin, on the grid of a motion, of everything outside the named bodies on them and of them on it.

    What acts between these bodies alone is left out. Each bond has its own efforts on both sides; a field or an external force has a
    partner that is not in the system, whose effort is the opposite. Cheremensky, On Concept of Mechanical System, 1.2 and (12).
    """
    own = relative_record(record)
    bodies = chosen_bodies(own, names)
    found = EXCHANGES.of(own.model).wrenches(own, bodies)
    if record.carried is not None:
        carried = record.carried
        found = Wrenches(*({name: carried.wrenches(x, own.time) for name, x in side.items()} for side in found))
    return Environment(record, names or tuple(record.model.layout.bodies), found.on, found.back)
