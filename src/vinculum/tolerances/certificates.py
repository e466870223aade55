"""Certificates: tolerances of laws, safety factors of estimates, scales of residuals."""

# Verdicts
SHARP = 2e-4
"""The largest tolerance with which a line can distinguish a correct motion from one that is wrong by a thousandth. A line with a larger
tolerance is undecided."""

# Safety factors of estimates
SAFETY = 10.0
"""Factor of estimates of round-off and quadrature errors. They add the sizes of all terms and do not know the worst order of operations."""
DOP853_SAFETY = 30.0
"""The same for the error of a step by an embedded formula. This estimate is less sharp than the last terms of a series."""
DOUBLING_SAFETY = 3.0
"""The same for step doubling, which measures the error itself up to the next order in the step."""
DOUBT = 10.0
"""Residuals up to this many tolerances leave a law undecided: an estimate of a method's error is good to a digit."""
LAW_MISSED = 1.5
"""Impulses that are computed as in the run may violate their law by so many tolerances of the run."""
LAW_EXPLAINED = 20.0
"""The same for impulses that a separate search finds to explain the motion."""
WORK_OF_RESIDUALS = 20.0
"""Factor of the work of residual velocities. The product is the tolerance of an energy."""
MOVED_OUT = 4.0
"""Factor of the displacement by which penetrating bodies were moved apart. The product bounds errors of gaps."""
WINDOW_SAFETY = 100.0
"""The square of `SAFETY`: one factor for the sum over steps, one for the sums over bodies in each step."""
IN_PASSING = 3.0
"""The tolerance of the mass input is this many times that of the weak form."""
IMPACT_METHOD_SAFETY = 2.0
"""Factor of a step's own error estimate at impacts."""
IMPACTS_LUMPED = 10.0
"""The last impulse of an impact sequence may stand for impacts up to this many times the speed that round-off hides."""
DENSE_OUTPUT_SAFETY = 1000.0
"""The error of dense output is at most this many tolerances, as measured on pendulums and orbits. The energy changes by about one tolerance
a step."""
CLAIM_SAFETY = 100.0
"""The residuals of a given motion may reach this many times its claimed accuracy: derivatives of splines lose digits."""
WEAK_METHOD_SAFETY = 3.0
"""Factor of a method's own error estimate in a weak form, as for step doubling."""

# Least tolerances
UNIT_AXES = 1e-12
"""Least tolerance of | |Λ|² − 1 | of unit quaternions: a few thousand round-offs of a run."""
NO_RESIDUAL = 1e-12
"""Tolerance of lines whose residual is zero when a law holds."""

# Scales of residuals
BALANCES_HELD = 1e-6
"""A momentum counts as held if it changes by less than this fraction of what single forces would change it by. The forces balance there,
and residuals are measured against them."""
RESTARTED = 1e-8
"""Fraction of the state by which a method may restart elsewhere, as where a phase at rest begins with a trace of velocity. A larger change
is a jump."""
NO_REACTION = 1e-9
"""A reaction below this fraction of its own size, or of the whole with its noise, counts as zero."""
REACTIONS_KNOWN = 1e6
"""Round-off grows near singular positions. Where it grows by more than this factor reactions are not known: ten of sixteen digits are left
there."""
RATES_RESOLVED = 1e-4
"""A rate that changes its coordinate by less than this fraction in a run is measured against such a rate, because it is round-off alone."""
PASSAGE_APART = 1e-3
"""Velocities on both sides of a singular position are compared where its measure has grown to this value. Their changes are then known to
its square."""
AT_REST = 1e-9
"""Speeds [m/s, rad/s] below which a motion is at rest: the trace that round-off leaves in forces that balance."""
NEAR_REST = 1e-3
"""Displacements below this fraction of the position are mostly round-off. The same holds for the displacement that balanced forces would
produce."""
LEAST_STATE = 1e-3
"""Least size of coordinates and velocities [SI] against which jumps of a state near the origin are measured."""

# Laws of smooth motion
ACCELERATIONS_BY_TWO_ROUTES = 1e-10
"""Relative difference of accelerations between two forms of the equations: 1e5 round-offs of a solve with a mass matrix."""
LOOPS_CLOSED = 1e-12
"""Gaps and rates of constraints, relative to their own sizes: output is projected to 1e-13, and interpolation costs a digit."""
ACCELERATIONS_CONSTRAINED = 1e-10
"""Residuals of constraints at the accelerations of the equations, relative to their terms: the accuracy of a linear solve."""
IDEAL_JOINTS = 1e-11
"""Power of ideal reactions, relative to the power of its terms: round-off of recursions along a tree."""
LAGRANGIAN_BY_TAYLOR = 1e-11
"""Relative tolerance of the laws of a Lagrangian's motion by Taylor series, before the errors of its steps are added. It is the round-off
of equations that are solved for the highest derivatives."""
LAGRANGIAN_BY_DOP853 = 1e-9
"""The same by DOP853, whose dense output is of a lower order than its steps."""
PAIR_FORCES_BY_TWO_ROUTES = 1e-9
"""Relative difference between the forces of pairs and difference quotients of their energy: the accuracy of differences of order eight."""
BLOCKS_AS_DESCRIBED = 1e-9
"""Relative difference between the rates of a block over a table and by equations of its own: round-off of long trees."""
PAIRS_OPPOSITE = 1e-12
"""Newton's third law over all pairs of a loop, relative to the largest force: round-off of long sums."""
OWN_MOMENTUM = 1e-9
"""Largest difference between the momentum of a body and that of its mass, m v, relative to the larger of both: the same sums in another
order, with round-off of many steps."""
PRESCRIBED_BY_TWO_ROUTES = 1e-11
"""Relative difference between the power of drives by their wrenches and by work: round-off of one function."""
REACTIONS_IN_BALANCE = 1e-11
"""Reactions against forces and accelerations at one instant, relative to the largest: one solve gives them all."""
WITHIN_BOUNDS = 1e-9
"""Relative amount by which a servo's effort may exceed its bounds: the instants at which bounds are reached are known to `SAME_INSTANT`."""
ACTIONS_PAIRED = 1e-12
"""Difference of the forces at both ends of an action, relative to their size: one gradient gives both."""

# Laws of contact
CONTACTS_PUSH = 1e-8
"""Fraction of the largest force by which a closed contact may pull, or leave its friction cone: a hundred times the accuracy of its
accelerations."""
SHARED_WELL = 1e-10
"""The search for shared contact forces ends when the unexplained fraction of the reactions is below this."""
SLIP_DIRECTED = 1e-3
"""Round-off leaves the direction of a slip unknown if it turns it by more than this angle [rad]."""
GAPS_OPEN = 1e-10
"""Penetrations below this fraction of the largest coordinate, or of the smallest shape, are round-off."""
ENERGY_GAINED = 1e-6
"""Energy that contact may add, relative to the energy of the motion: the residual of impulses at the usual tolerance."""
IMPULSES_WORKED = 1e-6
"""Positive work of inelastic impulses, relative to the kinetic energy that they exchange: the usual residual."""
PENETRATION = 1e-4
"""Penetration, in radii of the smallest body: ten times what steps leave uncorrected, and invisible."""
GIVEN_TO_FREE_BODIES = 1e-9
"""Relative difference between given impulses and the changes of momentum of free bodies: one product with a mass."""
HITS_UNDECIDED = 0.25
"""The position of a body at an impact must be known to this fraction of the displacement in the whole motion. Otherwise the line is
undecided."""
HITS_LOST = 1.0
"""Impacts whose position is known only to more than this fraction of the displacement in the whole motion are lost."""
RESTING = 0.1
"""A body is at rest in a step if it moves by less than this fraction of what forces alone would move it."""
LEAST_WAY = 1e-2
"""Least displacement of a motion that counts, as fraction of the largest coordinate."""
NO_HIT = 1e-9
"""Changes of velocity below this part of the largest velocity are round-off."""
EXPLAINED_WELL = 1e-13
"""Relative change of impulses at which the search for explaining impulses ends: a hundred round-offs."""
LAW_ROUND_OFF = 1e-10
"""Round-off in the residual of a contact law, relative to the impulses."""
LAW_ROUND_OFF_MOVED = 1e-8
"""The same where penetrating bodies were moved apart, because their positions are then not those of the solve."""
MOMENTA_MISSED = 1e-6
"""Energy of the momenta of a body that its contacts do not explain, relative to the body's own: the square of a thousandth."""
SWEPT = 1e-10
"""Round-off that sweeps leave between M⁻¹ Hᵀ P and the velocities that they update contact by contact, as fraction of the impulses on a
body."""
LATE_HITS = 1e-4
"""Part of a step by which a located hit may be late: the length of the short step that holds it."""
NO_SPEED = 1e-9
"""Velocities below this fraction of the largest speed of the whole motion give no scale: without gravity, what an impact leaves may be
round-off."""
SAME_PLACE = 1e-6
"""A contact that is found again is the recorded one if it lies within this distance, in radii of the smallest body."""
VELOCITIES_FOLLOWED = 1e-4
"""Difference between velocities and rates of positions in a step of free bodies, relative to the largest."""
MOMENTA_CHANGED = 1e-6
"""Relative change of momenta that impulses do not explain: the usual residual of impulses."""
MIDDLE_OF_A_STEP = 1e-6
"""Difference between the middle of a piece and that of a step, as fraction of the step: an event that cuts a step changes it by more than
round-off of the clock does."""
CONE_EXCEEDED = 1e-9
"""Fraction by which an impulse may lie outside the friction cone: projections end on its boundary up to round-off."""
GAPS_AGREE = 1e-6
"""Difference of gaps by two routes, in radii of the smallest body, and of normals of planes: nearest points are known to six digits."""
FACE_FAVORED = 2e-3
"""Fraction of both sizes by which another direction may separate two shapes better than the chosen face, if one shape has corners: twice
that of the narrow phase."""
GIVEN_AS_SAID = 1e-10
"""Relative difference between given impulses and jumps of velocity: a solve with the mass matrix."""
NOTHING_PASSED = 1e-4
"""Tolerance of the line that nothing passes through other bodies. Its residual is zero or one."""
IMPULSES_SOLVED = 1e-8
"""Relative accuracy that an iteration for impulses must reach, with a margin of a hundred."""
JOINED = 1e-6
"""Fraction of the largest value by which a state may jump where one method takes over from the other. Gaps and speeds that are errors of
time steps are removed there."""

# Weak form
QUADRATICS_FOLLOWED = 1e-8
"""Error of the quadratics between positions and velocities of a step, relative to the terms of a weak form."""
TURNED = 1.0 / 300.0
"""Factor of the third power of a body's rotation angle in a step. The product is the error of quadratics for a rotating body: the next term
of its series."""
PATHS_BENT = 4.0
"""Factor of the second-order terms that bound the effect of a rotation in a step on momenta."""
ACTION_SWITCHED = 1e-8
"""Extra tolerance for a Lagrangian with switches: a varied curve reaches a switch of L at another instant than the quadrature nodes."""
JUMP_SEEN = 1e-6
"""A change at an instant is a jump, about which test fields are centered, if it exceeds this fraction of the largest velocity or
coordinate."""
TIME_STEPPING_TOLD = 1e-6
"""Residuals of time stepping below this are not reported: they are estimates, and positions are of the first order."""
OUTWARD = 1e-6
"""A field that points inward somewhere by more than this fraction is no outward test field."""
NEGLIGIBLE_FIELD = 1e-8
"""The terms of a field on which nothing acts, as on a body at rest, are round-off. They are measured against this fraction of the largest
terms."""
ACTION_SCALE = 1e-9
"""Least scale of a change of the action: this fraction of the whole action over the variation."""

# Remedies
STEP_FOR_HITS = 0.5
"""Margin of the recommended step for impacts: the step that would just resolve them is multiplied by this."""
STEP_FOR_TOLERANCE = 0.7
"""Margin of the recommended step for a tolerance: the step that would just reach it is multiplied by this, as orders hold for small steps
only."""
ORDER_BETWEEN_IMPACTS = 2
"""Order of time stepping between impacts."""

# Given motions
CLAIMED = 1e-6
"""Relative accuracy of a given motion if the user names none."""
HARDLY_MOVES = 1e-9
"""Numbers of a given motion below this fraction of the largest of their kind are measured against this fraction."""
CLOSED_AS_CLAIMED = 10.0
"""Gaps and their rates below this many times the claimed accuracy are closed."""
REALIZATIONS_APART = 1e-6
"""Two realizations of a constraint have separated when their relative distance exceeds this."""

# Pictures
NOT_DRAWN = 1e-12
"""Values below this are left out of a curve on a logarithmic scale."""
DRIFT_SHOWN = 1e-9
"""A plot shows the energy itself instead of its drift if the relative drift exceeds this."""
EXCHANGED_SHOWN = 1e-12
"""A plot shows energies instead of their drift if the relative energy exchanged with the environment exceeds this."""
LOST_SHOWN = 1e-9
"""A plot shows energies instead of their drift if the relative energy lost in impacts exceeds this."""
ROUND_OFF_DRAWN = 1e-12
"""A plot states that a quantity is zero to round-off, in place of curves, if all its values are below this, relative to what it is measured
by: the kinetic energy, the size of the motion, a radian. Integration to round-off stays below it over some thousand steps."""
FLAT_PATH = 1e-3
"""Paths are drawn in a plane if they leave it by less than this, relative to their extent: less than a pixel."""
PAGE_STEP = 2.0**-22
"""Steps of the positions on a page, relative to the range of a body's path: a thousandth of a pixel of a large screen."""
FINEST_PAGE_STEP = 2.0**-24
"""Steps of the positions on a page are no finer than this, relative to the size of the system: the digits of the page's own numbers."""
