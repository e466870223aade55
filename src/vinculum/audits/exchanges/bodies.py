"""The bodies whose exchanges are asked for."""

from vinculum.audits.exchanges.by_type import EXCHANGES
from vinculum.errors import StartError
from vinculum.motion.record import Record
from vinculum.systems import nearest


def chosen_bodies(record: Record, names: tuple[str, ...]) -> tuple[int, ...]:
    """Numbers of the named bodies, all without names; motions whose bonds are not known are refused."""
    model = record.model
    EXCHANGES.of(model).check(record)
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise StartError(f"body '{twice}' is named twice; its world-tube crosses itself, so name it once")
    known = model.layout.bodies
    for name in names:
        if name not in known:
            raise StartError(f"there is no body '{name}' in system '{model.name}'{nearest(name, known)}")
    return tuple(known[name].index for name in names) if names else tuple(entry.index for entry in known.values())
