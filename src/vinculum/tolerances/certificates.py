"""Certificates: tolerances of laws, safety factors of estimates, scales of residuals."""

# Verdicts
SHARP = 2e-4
"""The largest tolerance with which a line can tell a right motion from one that is wrong by a thousandth; above it nothing is decided."""

# Safety factors of estimates
SAFETY = 10.0
"""What an estimate of round-off or of quadrature is multiplied by: it adds up sizes and does not know the worst order of operations."""
DOP853_SAFETY = 30.0
"""The same for errors of steps by an embedded formula, an estimate less sharp than the last terms of a series."""
DOUBLING_SAFETY = 3.0
"""The same for step doubling, which measures the error itself up to the next order in the step."""
DOUBT = 10.0
"""Residuals up to this many tolerances leave a law undecided: an estimate of a method's error is good to a digit."""
LAW_MISSED = 1.5
"""Tolerances of the run by which impulses may miss their law when found as in the run."""
LAW_EXPLAINED = 20.0
"""The same for impulses that are sought anew to explain the motion."""
WORK_OF_RESIDUALS = 20.0
"""By what the work of residual velocities is multiplied as tolerance of an energy."""
MOVED_OUT = 4.0
"""By what the way is multiplied that bodies were moved out of each other, as a bound on gaps."""
WINDOW_SAFETY = 100.0
"""`SAFETY` twice: for a sum over steps and for the sums over bodies in each."""
IN_PASSING = 3.0
"""How much more of the mass input than of the weak form is admitted."""
IMPACT_METHOD_SAFETY = 2.0
"""What a step's own error estimate is multiplied by at impacts."""
IMPACTS_LUMPED = 10.0
"""How many hidden gaps of an impact sequence may be lumped into its last impulse."""
DENSE_OUTPUT_SAFETY = 1000.0
"""Dense output errs by so many tolerances at most, as measured on pendulums and orbits; the energy by about one a step."""
CLAIM_SAFETY = 100.0
"""How many claimed accuracies of a given motion its residuals may reach: derivatives of splines lose digits."""
WEAK_METHOD_SAFETY = 3.0
"""What a method's own error estimate is multiplied by in a weak form, as for step doubling."""

# Least tolerances
UNIT_AXES = 1e-12
"""Least tolerance of | |Λ|² − 1 | of unit quaternions: some thousand round-offs of a run."""
NO_RESIDUAL = 1e-12
"""Tolerance of lines whose residual is zero when a law holds."""

# What a residual is measured by
BALANCES_HELD = 1e-6
"""Part of what single forces would change a momentum by below which it is held: forces balance each other there, and residuals are
measured against them."""
RESTARTED = 1e-8
"""Part of the state by which a method may restart elsewhere: a motion at rest with a trace of velocity. More is a jump."""
NO_REACTION = 1e-9
"""Part of its own size, or of the whole with its noise, below which a constraint's reaction is none and claims nothing."""
REACTIONS_KNOWN = 1e6
"""Growth of round-off next to singular positions beyond which reactions are not known: ten of sixteen digits are left then."""
RATES_RESOLVED = 1e-4
"""Rates that change a coordinate by less than this part of it in a run are measured against such a rate: round-off is all they are."""
PASSAGE_APART = 1e-3
"""Velocities are compared where the measure of singular positions has grown to this; their changes are then known to its square."""
AT_REST = 1e-9
"""Speeds [m/s, rad/s] below which a motion hangs at rest: a trace left by round-off in forces that balance."""
NEAR_REST = 1e-3
"""Ways below this part of the position, or of where forces would take what they hold in balance, are mostly round-off."""
LEAST_STATE = 1e-3
"""Size of coordinates and velocities [SI] by which jumps of a state near the origin are measured."""

# Laws of smooth motion
ACCELERATIONS_BY_TWO_ROUTES = 1e-10
"""By how much accelerations may differ between two forms of the equations, relative: 1e5 round-offs of a solve with a mass matrix."""
LOOPS_CLOSED = 1e-12
"""Gaps and rates of constraints, relative to their own sizes: output is projected to 1e-13, and interpolation adds a digit."""
ACCELERATIONS_CONSTRAINED = 1e-10
"""Rows of constraints at the accelerations of the equations, relative to their terms: a linear system is solved, not better."""
IDEAL_JOINTS = 1e-11
"""Power of ideal reactions, relative to the power of their parts: round-off of recursions along a tree."""
LAGRANGIAN_BY_TAYLOR = 1e-11
"""Laws of a Lagrangian's motion by Taylor series, relative, before what its steps add: round-off of equations that are solved for the
highest derivatives."""
LAGRANGIAN_BY_DOP853 = 1e-9
"""The same by DOP853, whose dense output is of a lower order than its steps."""
PAIR_FORCES_BY_TWO_ROUTES = 1e-9
"""Forces of pairs against differences of their energy, relative: what differences of order eight reach."""
PAIRS_OPPOSITE = 1e-12
"""Newton's third law over all pairs of a loop, relative to the largest force: round-off of long sums."""
PRESCRIBED_BY_TWO_ROUTES = 1e-11
"""Velocities of prescribed bodies against the derivative of their path, relative: round-off of one function."""
REACTIONS_IN_BALANCE = 1e-11
"""Reactions against forces and accelerations at one instant, relative to the largest: both come from one solve."""
WITHIN_BOUNDS = 1e-9
"""By how much a servo's effort may exceed its bounds, relative to them: where bounds are met is known to `SAME_INSTANT`."""
ACTIONS_PAIRED = 1e-12
"""Forces of both ends of an action, relative to their size: they come from one gradient."""

# Laws of contact
CONTACTS_PUSH = 1e-8
"""Part of the largest force by which a closed contact may pull or leave its cone: a hundred times what its accelerations are checked to."""
SHARED_WELL = 1e-10
"""Part of the forces that is as good as nothing when shared contact forces are sought."""
SLIP_DIRECTED = 1e-3
"""Angle beyond which round-off leaves the direction of a slip unknown."""
GAPS_OPEN = 1e-10
"""Depths below this part of the largest coordinate, or of the smallest shape, are round-off."""
ENERGY_GAINED = 1e-6
"""Energy that contact may give, relative to what there is: the residual of impulses at the usual tolerance."""
IMPULSES_WORKED = 1e-6
"""Work of soft impulses above zero, relative to the kinetic energy they exchange: the usual residual."""
PENETRATION = 1e-4
"""Penetration, in radii of the smallest body: ten times what steps leave as it is, and invisible."""
GIVEN_TO_FREE_BODIES = 1e-9
"""Given impulses against changes of momenta of free bodies, relative: one product with a mass."""
HITS_UNDECIDED = 0.25
"""Part of the way of a whole motion to which hits must be known, or it is undecided."""
HITS_LOST = 1.0
"""Part of the way of a whole motion beyond which hits are lost."""
RESTING = 0.1
"""What moves in a step by less than this part of what forces alone would do is at rest."""
LEAST_WAY = 1e-2
"""The least way that counts, as part of the largest coordinate."""
NO_HIT = 1e-9
"""Changes of velocity below this part of the largest velocity are round-off."""
EXPLAINED_WELL = 1e-13
"""Change of impulses, relative, at which their search ends: a hundred round-offs."""
LAW_ROUND_OFF = 1e-10
"""Round-off in the residual of a contact law, relative to the impulses."""
LAW_ROUND_OFF_MOVED = 1e-8
"""The same where bodies were moved out of each other, as positions are not those of the solve."""
MOMENTA_MISSED = 1e-6
"""Energy of momenta that contacts do not give to a body, relative to its own: square of a thousandth."""
SWEPT = 1e-10
"""What sweeps leave of M⁻¹ Hᵀ P in velocities that they change contact by contact, as part of the impulses on a body."""
NO_SPEED = 1e-9
"""Part of the largest speed of a whole motion below which velocities give no scale: what is left of a hit without gravity is round-off."""
SAME_PLACE = 1e-6
"""Distance within which a contact that is found anew is the one that was kept, in radii of the smallest body."""
VELOCITIES_FOLLOWED = 1e-4
"""Velocities against rates of positions in a step of free bodies, relative to the largest."""
MOMENTA_CHANGED = 1e-6
"""Changes of momenta that impulses do not explain, relative: the usual residual of impulses."""
CONE_EXCEEDED = 1e-9
"""Part of an impulse by which it may be outside of the friction cone: projections end on its edge up to round-off."""
GAPS_AGREE = 1e-6
"""Gaps of two routes, in radii of the smallest body, and normals of planes: sixth digits of nearest points."""
FACE_FAVORED = 2e-3
"""Part of both shapes, where one has corners, by which another direction may do better than the face that is taken: twice that of the
narrow phase."""
GIVEN_AS_SAID = 1e-10
"""Given impulses against jumps of velocity, relative: a solve with the mass matrix."""
NOTHING_PASSED = 1e-4
"""Tolerance of the line that nothing goes through others; its residual is zero or one."""
IMPULSES_SOLVED = 1e-8
"""Relative accuracy of impulses that an iteration is asked for, with a hundred times in hand."""
JOINED = 1e-6
"""How much a state may jump, in parts of the largest, where one method takes over from the other: gaps and speeds that are errors of
time steps are taken off there."""

# Weak form
QUADRATICS_FOLLOWED = 1e-8
"""What quadratics leave between positions and velocities of a step, relative to the terms of a weak form."""
TURNED = 1.0 / 300.0
"""What quadratics do for a body that turns, times the third power of its turn in a step: the next term of its series."""
PATHS_BENT = 4.0
"""Factor of the second-order terms that bound what a turn in a step does to momenta."""
ACTION_SWITCHED = 1e-8
"""What is added for a Lagrangian with switches: a varied curve meets a switch of L at another instant than the nodes know."""
JUMP_SEEN = 1e-6
"""Part of the largest velocity, or coordinate, from which on a change at an instant is a jump where fields are centered."""
TIME_STEPPING_TOLD = 1e-6
"""Residuals of time stepping below which there is nothing to tell: they are estimated, and its positions are of the first order."""
OUTWARD = 1e-6
"""Fields that point inward by more than this part somewhere are no test."""
NEGLIGIBLE_FIELD = 1e-8
"""Fields on which nothing acts, as on what hangs at rest, are measured by this share of the largest terms: their own are round-off."""
ACTION_SCALE = 1e-9
"""Part of the whole action, over the variation, by which its change is measured at least."""

# Remedies
STEP_FOR_HITS = 0.5
"""What a step that would resolve hits is multiplied by before it is told, so that it does."""
STEP_FOR_TOLERANCE = 0.7
"""What a step that would reach a tolerance is multiplied by before it is told, as orders hold for small steps only."""
ORDER_BETWEEN_IMPACTS = 2
"""Order of time stepping between impacts."""

# Motions from elsewhere
CLAIMED = 1e-6
"""Accuracy that a given motion claims where its giver names none, relative."""
HARDLY_MOVES = 1e-9
"""Part of the largest number of a kind below which others of a given motion are as well known as this."""
CLOSED_AS_CLAIMED = 10.0
"""Gaps and their rates below so many times the claimed accuracy are closed."""
REALIZATIONS_APART = 1e-6
"""Distance, relative, from which on two realizations of a constraint part."""

# Pictures
NOT_DRAWN = 1e-12
"""Values below which a curve on a logarithmic scale has a hole."""
DRIFT_SHOWN = 1e-9
"""Drift of an energy, relative, from which on it is drawn."""
EXCHANGED_SHOWN = 1e-12
"""Energy that is exchanged with the outside, relative, from which on a drift is not drawn."""
LOST_SHOWN = 1e-9
"""Energy that is lost, relative, from which on a drift is not drawn."""
