"""Correction of penetration of blocks: the smallest displacement in the metric of masses and damping."""

import numpy as np

from vinculum.contact.blocks.placing import scatter_velocities
from vinculum.contact.blocks.rows import close_gaps, let_immovable_be
from vinculum.contact.free_bodies.steps import PUSHES
from vinculum.contact.sparse.arrays import ContactProblem, Pace, Settings
from vinculum.integrators.blocks_in_contact.contacts import BlockContacts
from vinculum.integrators.blocks_in_contact.flights import BlockFlights
from vinculum.integrators.blocks_in_contact.tables import BlockTables
from vinculum.tolerances.contact import DEPENETRATION_RESIDUAL, PARTINGS, UNEVEN


def push_apart(
    contacts: BlockContacts,
    flights: BlockFlights,
    tables: BlockTables,
    problem: ContactProblem,
    q: np.ndarray,
    t: float,
) -> tuple[np.ndarray, float, float]:
    """Coordinates moved by the smallest displacement that removes penetration to first order; the depth before it [m], and the largest
    displacement [m]. Gaps and rows of contacts are changed with it."""
    m, gap, sides = problem.m, contacts.near.contacts.gap, contacts.sides
    depth = max(0.0, -float(gap[:m].min()))
    if depth <= contacts.near.slack:
        return q, depth, 0.0
    still = sides._replace(drift=np.zeros_like(sides.drift))
    contacts.targets[:m], contacts.P[:m], contacts.D[:] = -gap[:m], 0.0, 0.0
    parted = problem._replace(
        rows=problem.rows._replace(sides=still),
        cones=np.zeros_like(contacts.cones),
        pace=Pace(np.zeros_like(contacts.D), depth),
    )
    let_immovable_be(parted, contacts.D)
    contacts.displace(parted, Settings(DEPENETRATION_RESIDUAL, int(PUSHES * UNEVEN)))
    close_gaps(parted, gap, contacts.D)
    d = np.zeros(tables.tabled.nv)
    scatter_velocities(tables.blocks, contacts.D, d)
    change = tables.coordinate_rates(q, d, t) - tables.coordinate_rates(q, 0.0 * d, t)
    moved = flights.on_charts(q + change)
    tables.write_blocks(moved, 0.0 * d, t)
    contacts.write_rows()
    return moved, depth, float(np.abs(change).max())


def move_apart(
    contacts: BlockContacts, flights: BlockFlights, tables: BlockTables, q: np.ndarray, t: float
) -> np.ndarray:
    """Coordinates at which no shape penetrates another, as far as a few displacements can do it."""
    nothing = np.zeros(tables.tabled.nv)
    for _ in range(PARTINGS):
        m = contacts.find(q, nothing, t, 0.0)
        if not m or contacts.near.contacts.gap[:m].min() >= -0.1 * contacts.near.slack:
            break
        problem = contacts.problem(nothing, 0.0)._replace(m=m)
        q = push_apart(contacts, flights, tables, problem, q, t)[0]
        q = flights.close(q, t)[0] if tables.is_conditioned else q
    contacts.near.list_anew()
    return q
