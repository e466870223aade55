"""Functions of upper rooms that a motion calls: it is audited and plotted by rooms that import this one.

A door belongs to one room, which registers its function when it is loaded. A lower room calls an upper one only through
these doors.
"""

from vinculum.upward import Door

METHOD_CLAIMS = Door("vinculum.integrators")
"""The claims of an integrator by its name, None if there is none of that name."""
AUDIT = Door("vinculum.audits")
"""The certificate of a motion."""
GIVEN_IMPULSE = Door("vinculum.audits")
"""What a given impulse of a motion did, by its name."""
JOINT_IMPULSES = Door("vinculum.audits")
"""Instants of impacts of a motion, and what joints and constraints transmitted there, by name."""
BALANCE = Door("vinculum.audits")
"""The balance of bodies of a motion in a window of time, with limits from given sides at its ends."""
ENVIRONMENT = Door("vinculum.audits")
"""What everything outside some bodies of a motion exerts on them."""
BALANCE_PLOT = Door("vinculum.show")
"""The parts of a balance as bars, written to a path."""
PLOT = Door("vinculum.show")
"""A plot of a motion, of a kind, of the named joints or bodies, beside other motions, written to a path."""
PICTURE = Door("vinculum.show")
"""A motion in space at an instant, as a Matplotlib figure."""
VIEW = Door("vinculum.show")
"""A motion in space on a page for a browser."""
ANIMATE = Door("vinculum.show")
"""A film of a motion in space."""
REPORT = Door("vinculum.show")
"""A report on a motion, written to a path."""
COMPARISON_PLOT = Door("vinculum.show")
"""Motions by several realizations next to each other, written to a path."""
