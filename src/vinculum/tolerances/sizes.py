"""Sizes: limits of accepted input, of work done at once, of memory, and of printed text."""

# Refused if larger
MOST_FIELDS = 100_000
"""Most fields that a user may ask for at once: minutes of work."""
MOST_FLOW_CALLS = 20_000
"""Most evaluations of a carrier's velocity along one flow: hundreds of turns at full accuracy, in some seconds."""
MOST_MODES = 64
"""Most half waves of a second variation: its quadrature resolves them."""
NODES_OF_AN_ACTION = 1 << 20
"""Nodes of quadrature at which an action is evaluated at once: more of them take gigabytes."""
NUMBERS_OF_A_CARRIER = 1 << 21
"""Numbers of the states and tables at all nodes of a random carrier. Where many bodies make it more, the support has fewer steps, so that a
certificate of some hundred bodies takes a minute."""
RANK_OF_CARRIERS = 2
"""Rank of the matrix by which random carriers of many bodies depend on coordinates. A full one has the square of their number."""
HIGHEST_MULTIPOLE = 40
"""Highest degree of a multipole expansion that a user may ask for: its formulas are written out."""
MOST_WRITTEN_PAIRS = 5000
"""Most pairs of points that are written out one by one. Tracing the equations of more pairs would take minutes."""
LARGEST_TAPE = 1 << 30
"""Numbered values of a tape: operands are 32-bit integers."""
LARGEST_ORDER = 400
"""Highest order of a power series that a user may ask for."""
MOST_GAPS = 64
"""Most unilateral constraints with an event each. With more events a series spends more time on them than on its steps."""
MOST_POINTS = 1 << 17
"""Points of the finest grid."""
IDAS_STEPS = 20_000
"""Most steps of IDAS between two points."""
MOST_STEPS_OF_A_FLOW = 100_000_000
"""Most steps of one run of a flow between two instants: minutes to hours."""
KEPT_SPLITTINGS = 16
"""Splittings of one Hamiltonian that are kept as tapes, for further runs about the same solved parts."""
MOST_STEPS_OF_A_PERIOD = 20_000
"""Most steps of one period of a periodic orbit, of which a search takes dozens."""
MOST_STEPS_OF_AN_ACTION = 50_000
"""Most steps in which an oscillation must return to its start: below a second, and far more than it takes next to a separatrix."""
MOST_DIMENSIONS = 64
"""Most dimensions of a space."""
HIGHEST_DEGREE = 100
"""Highest degree of polynomials that are integrated exactly: a ball then has a quarter of a million points."""
SMALLEST_LENGTH = 1e-60
"""Least length [m] whose fifth power, as in a second moment, does not underflow."""
LARGEST_LENGTH = 1e60
"""Largest length [m] whose fifth power does not overflow."""
MOST_COUNTED = 2**31
"""Counts of a model are below this: numbers of 32 bits."""
MOST_WRITTEN_OUT = 2000
"""Most blocks and bonds of a system that is written out. Compiling 800 takes some twenty seconds, and the time grows faster than their
number."""
LARGEST_TEXT = 1 << 26
"""Bytes of a description. The longest holds the log and a checksum for every MB of a run."""
LARGEST_CONTENT = 1 << 31
"""Bytes of a model or of phases: a million bodies with shapes take a quarter of it."""
MOST_VELOCITIES_IN_CONTACT = 600
"""Most velocities of a tree with contacts, which is solved with its whole mass matrix."""
MOST_GAPS_OF_SHAPES = 60
"""Most gaps of shapes in a run from event to event: all of them are watched in every step."""
LONGEST_FORMULA = 2000
"""Characters of a formula of a model file."""
DEEPEST_FORMULA = 100
"""Most levels of brackets in a formula."""
MOST_ARGUMENTS = 100
"""Most arguments of min and max in a formula."""
LARGEST_EXPONENT = 330
"""Largest exponent of ten of a number in a model file: a little more than double precision has."""
LONGEST_NUMBER = 60
"""Characters of a number in a model file."""
LONGEST_QUANTITY = 200
"""Characters of a number with its unit."""
LARGEST_FILE = 10_000_000
"""Bytes of a model file."""
HIGHEST_DERIVATIVE = 6
"""Highest derivative of a coordinate in a Lagrangian."""
MOST_INSTANTS = 1 << 24
"""Instants of a grid: 134 MB of times alone, and as much for every coordinate."""

# Thresholds of faster algorithms
FEWEST_TABLED = 200
"""Blocks and actions from which on what is alike runs over tables. Fewer are written out in some seconds, with Taylor series."""
ROWS_WITHIN = 10
"""Rows that a body with a cutoff counts for there."""
NUMBERS_OF_BOARDS = 1 << 22
"""Numbers of the boards that tables fill at once: 32 MB."""
CROWD_OF_CERTIFICATES = 1000
"""Number of bodies above which fewer fields are drawn for each of them."""
FEWEST_LOOPED_PAIRS = 780
"""A pair action between points with more pairs is evaluated by a loop over them; fewer are rows of a table."""
PAIRS_WORTH_SHARING = 4000
"""Least number of pairs for which threads share a loop."""

# Tapes
LONG_TAPE = 5000
"""Tapes with more operations are reordered for the least register spills: their spills no longer fit the first-level cache."""
WIDE_TAPE = 2000
"""Tapes with more results are compiled without optimization, because its time grows with the square of their number."""
UNDIVIDED_TAPE = 12_000
"""Most operations in one block of machine code. The time of LLVM's register allocation grows with the square of their number."""
PART_OF_TAPE = 250
"""Operations in each part of a longer tape."""
SHORTEST_ALIKE, LONGEST_ALIKE = 30, 400
"""Least and most operations of parts that are looked for because others are like them. Shorter ones spend more on reading where their
values are than on the operations; longer ones begin somewhere in every tape only by chance."""
CUT_ONCE_IN = 20
"""One of so many places of a tape, chosen by the operations before it, may end a part."""
WINDOW_OF_CUTS = 4
"""So many operations before a place decide about that, so that whatever is repeated is cut alike."""
WORTH_KINDS = 0.5
"""Parts alike are made one function if this fraction of the operations is left."""
SAMPLES_AT_ONCE = 1 << 19
"""Numbers from which the balanced quantities of an audit are formed at a time, so that what is formed stays in the processor's cache."""
OUTPUTS_PER_PART = 100
"""Results that one function of such a tape stores. LLVM compares all stores of a block with each other."""
LARGEST_TAYLOR_TAPE = 12_000
"""Most operations of equations for which series are the default. heyoka takes long to compile more."""

# Formulas
MOST_GAUGES = 200
"""Most terms of a function that an integral of gauge type may have, of bodies on which forces act: a tenth of a second of linear algebra. A
part with more is not searched."""
OPERATIONS_PER_ENTRY = 40
"""Conserved functions are not searched by algebra if a frame has more operations per entry than this."""
OPERATIONS_OF_A_RATE = 400
"""Rates with more operations are not examined."""
MOST_PRODUCTS = 400
"""Products of vectors that are tried for an invariant."""
OPERATIONS_SIMPLIFIED = 400
"""Operations of an equation up to which SymPy simplifies it."""
OPERATIONS_OF_A_FIELD = 200
"""Operations of a tensor field, those that occur twice counted once, up to which SymPy simplifies it: written out they are some times as
many. Two joints of an arm have 60, a torus in space has 130, and both take seconds; three joints have 240 and take minutes."""
TERMS_OF_A_SUM = 2000
"""Sums with more terms are not brought into canonical form."""
TERMS_OF_AN_EQUATION = 60
"""In equations with more terms, values are named instead."""
HARMONICS_OF_A_TERM = 10
"""Most harmonics that combine into one term."""
LARGEST_INVERSE = 3
"""Rows of a matrix whose inverse is written out."""
LONGEST_DENOMINATOR = 9999
"""Fractions with larger numerators or denominators are printed as decimals."""
LARGEST_COEFFICIENT = 10000
"""Coefficients up to which a common factor of a sum is taken out."""
SIMPLE_NUMBER = 9
"""The largest number that may stand inside a bracket of rates."""
HIGHEST_HARMONIC = 4
"""Highest multiple of an angle in a product of sines and cosines that is searched."""
ANGLES_OF_A_PRODUCT = 3
"""Most angles in such a product."""
SMALL_TREE = 10
"""Most velocities for which a mass matrix is inverted as formulas."""
NODES_OF_SWITCHES = 20000
"""Switches of graphs with more nodes are not examined."""
SMALL_DENOMINATOR = 1000
"""Largest denominator with which a decimal is read as a fraction, if both are the same number."""

# Terms of series
MULTIPOLE_ORDER = 40
"""Multipole moments are computed up to this degree. Higher ones are bounded by the mean of |x|ⁱ over the masses."""
MULTIPOLE_TERMS = 300
"""Degrees i + j that are summed one by one. A geometric series bounds the rest."""
SMALLEST_FACTOR = 1e-290
"""Factors of a product are combined only above this, so that none underflows."""
LARGEST_FACTOR = 1e290
"""Factors of a product are combined only below this, so that none overflows."""
ANGLE_HALVINGS = 3
"""How often an angle is halved before its series is summed."""
ANGLE_TERMS = 14
"""Terms of the series of a halved angle: to round-off."""
SERIES_BELOW = 1e-3
"""Squared angle below which functions of angles are series of four terms, exact to round-off."""

# Work that is done at once
MOST_SENSITIVITY_ROWS = 20_000
"""Most states that are evaluated for sensitivities, over all instants: a second of work."""
NUMBERS_OF_A_WINDOW = 20_000_000
"""Numbers of a window in memory at once, for all bodies: 160 MB."""
STEPS_OF_A_BLOCK = 200
"""Steps that are processed together."""
MOST_LEGS = 2_000_000
"""Most pairs of a step and a body whose paths are followed. Of longer runs every n-th instant is taken."""
LONGEST_CALL = 100_000
"""Most steps of one call of compiled code, so that an interrupt is noticed."""
SHORT_CALL = 256
"""The same if each step is checked."""
CALL_OF_REDUNDANT_CONDITIONS = 64
"""The same if redundant conditions may come to contradict each other."""
SECONDS_PER_CHUNK = 0.1
"""Seconds of compiled steps between two checks for events and interrupts."""
LARGEST_CHUNK = 16_384
"""Most steps between two checks."""
CHUNK_OF_FIXED_STEPS = 4096
"""Fixed steps between two checks of a run."""
CHUNK_OF_CLOSED_LOOPS = 64
"""The same if conditions or charts are checked."""
FREE_BODIES_NUMBERS_PER_CHUNK = 1_000_000
"""Numbers in the states of free bodies between two checks: 8 MB."""
NUMBERS_OF_RUNS_AT_ONCE = 1 << 14
"""Numbers of the states of many runs of free bodies that a thread works on at once: arrays of so many stay in a fast cache."""
NUMBERS_PER_BODY = 60
"""Numbers that an output instant keeps for every free body."""
FREE_BODIES_INSTANTS = 1001
"""Most output instants of free bodies where no grid is given."""
IDAS_CHUNK = 4096
"""Steps that IDAS returns at once."""
INTERVALS_OF_A_BLOCK = 4096
"""Intervals that are interpolated together."""
CHUNK_OF_TIME_STEPS = 1024
"""Time steps between two checks of a run."""
ROOM_FOR_CUT_STEPS = 256
"""Extra rows for steps that are cut at impacts."""
LOOP_NUMBERS_PER_CHUNK = 2_000_000
"""Numbers in the states of a run over tables between two checks: 16 MB."""
MOST_STEPS_PER_CHUNK = 256
"""Most steps between two checks."""
LOOP_ROWS = 256
"""States whose events are evaluated at once."""
NUMBERS_PER_POINT = 24
"""Numbers that an output instant keeps for every point."""
LARGEST_CHUNK_OF_CHARTS = 128
"""Most steps of a series between two checks of charts, which may have to change."""
OBSERVED_ROWS = 64
"""States whose pairs are evaluated by the same threads."""
STEPS_LOOKED_AT = 2048
"""Steps that are checked together."""
NUMBERS_LOOKED_AT = 100_000
"""Numbers in the states of these steps: for a thousand bodies a block is a few steps."""
WORTH_COMPILED_CODE = 20_000
"""Least number of polynomial coefficients that compiled code evaluates."""
COEFFICIENTS_WORTH_COMPILING = 30_000_000
"""Number of polynomial coefficients that NumPy evaluates in the time that compiling a loop for them takes: a quarter of a second."""
NUMBERS_OF_FIELDS = 4_000_000
"""Numbers in memory at once for the nodes of test fields: some tens of megabytes."""
NODES_AT_ONCE = 20_000
"""Nodes of a quadrature at which reactions are evaluated at once."""

NEAR_WINDOW = 1024
"""Pairs within a cutoff whose indices are written at once: they stay in the processor's cache."""

# Memory
BYTES_OF_A_BODY = 1000
"""Bytes that the description of one of many bodies takes, with its name: measured."""
NEIGHBORS = 300
"""Pairs within a cutoff for which memory is set aside, for each body: twice as many neighbors. What is not needed is never touched."""
BYTES_OF_A_TABLED_ROW = 3000
"""Bytes that a block or a row of bonds takes in the tables of a run: numbers, names and indices. Measured for mass points with springs."""
BYTES_OF_A_COUPLING = 400
"""Bytes that two conditions on one block take: their place in the matrix, its entries, and those of its factors."""
BYTES_OF_A_ROW = 200
"""Bytes that a row of many bonds takes, its bodies and some numbers."""
BYTES_OF_KEPT_INTEGRATORS = 2**28
"""Bytes of compiled integrators on disk. heyoka reads all of them before it adds one, which takes a minute for gigabytes."""
KEPT_TAPES = 128
"""Compiled tapes that are kept without an owner: some twenty systems, of half a megabyte each."""
STATES_IN_MIND = 8
"""States of an event-driven run whose contacts are cached. Several functions in a row ask for the same state."""
SLAB = 16 << 20
"""Bytes of a slab of memory for steps."""
SMALLEST_SLAB_USER = 1 << 20
"""Smaller arrays take their memory [bytes] from the system."""
KEPT_SLABS = 6
"""Free slabs that are kept."""
LARGEST_IN_MEMORY = 3 * 2**29
"""Bytes of steps that are held in memory. A longer run is refused, with the advice to store it."""
NUMBERS_OF_A_STEP = 3
"""Least number of coefficients that a step keeps for every number of the state: a parabola. A run of known steps that do not fit is refused
before its first."""
WORTH_LEAVING_APART = 1 << 20
"""Bytes of steps above which copying takes longer than reading from several arrays."""
ROOM_OF_TRIALS = 2**25
"""Bytes of steps after which a run that only tries multipliers is stopped."""

# Records
FREE_BODIES_RECORD = 12
"""Numbers in the record of a pressing contact between free bodies."""
TREE_RECORD = 22
"""Numbers in the record of a contact of a tree: step, both bodies, position, axes, gap, impulses of the three rows and of the three about
the axes."""

# Texts
CERTIFICATE_LINES = 24
"""Most printed lines of a certificate, the worst ones. Its data contain all of them."""
REPORT_WIDTH = 118
"""Characters of a line of a report."""
PASSAGES_LISTED = 4
"""Singular positions that are named in a certificate."""
PROBLEMS_OF_A_CACHE = 10
"""Problems of a cache that are listed."""
CONSTRAINTS_NAMED = 6
"""Constraints that a refusal of a start names."""
BODIES_NAMED = 6
"""Bodies of a model that are named."""
PARTS_SHOWN = 24
"""Parts of a balance that are shown one by one: as many rows as a page has room for."""
FREEDOMS_PRINTED = 4
"""Most velocities for which a printout shows the equations."""
FREEDOMS_TYPESET = 12
"""Most velocities for which a notebook or a report shows the equations."""
CHARACTERS_TYPESET = 30_000
"""Longer equations [characters of LaTeX, all together] are not typeset: they fill pages that nobody reads."""
SHOWN_OF_REFUSED = 3
"""Names of refused bonds in a message; the others are counted."""
ROWS_SHOWN = 20
"""Rows of a table in a notebook or a report; of more the first are shown."""
LINES_REPORTED = 200
"""Lines of the certificate in a report."""
BODIES_PICTURED = 2000
"""Most bodies of a system that a notebook draws unasked: a second of work."""
STATES_TYPESET = 8
"""Most states for which the matrix of linear equations is typeset."""
LONG_LINE = 1000
"""Longer equations [characters] are not shown."""
LONGEST_VALUE = 160
"""Characters of a value in a message."""
LONGEST_LINE = 1100
"""Characters of a line of a message."""
KEPT_BEFORE = 520
"""Characters that are kept at the beginning of a longer message, where the object is named."""
KEPT_AFTER = 520
"""Characters that are kept at its end, where the remedy is named."""
CHANGES_LISTED = 20
"""Changes of charts that are listed."""
NUMBERS_LISTED = 12
"""Numbers of a state that are listed."""
CONDITIONS_LISTED = 16
"""Numbers of conditions that are listed."""
COLUMNS_LISTED = 16
"""Columns of a given table that are listed, kinds of phases that are distinguished, and instants between two breaks that are examined."""
ENTRIES_SHOWN = 16
"""Most entries of an array that a message shows in full."""
UNILATERALS_NAMED = 7
"""Most unilateral constraints that get a color each."""
JUMPS_DRAWN = 4000
"""Most jumps that are drawn one by one."""
PROBLEMS_LISTED = 12
"""Problems of a model file that are listed."""
SELF_GRAVITY_NODES = 32
"""Nodes of the Gauss sum for the self-gravity of an ellipsoid. Its integrand is analytic, and the sum converges geometrically:
32 nodes reach round-off
if the half axes are within a factor of 2 of the undeformed radius, and 1e-10 within a factor of 4."""
NUMBERS_IN_STRETCH = 2**18
"""Most numbers (2 MB) of the dense output of a stretch of time steps, which is computed at once."""
STRETCHES_IN_MIND = 4
"""Most such stretches kept."""
MOST_INTEGRATION_POINTS = 2**22
"""Most points of one rule over a mesh: arrays of 100 MB."""
MOST_ADAPTIVE_POINTS = 2**20
"""Most points that an adaptive integral spends, some seconds for a user's function of one position."""
MOST_PAIRS_OF_POINTS = 2**27
"""Most pairs of points at which the law of a bi-measure is evaluated: some ten seconds."""
PAIRS_AT_ONCE = 2**20
"""Pairs of points at which it is evaluated at once: arrays of 24 MB."""
ANGLES_AT_ONCE = 2**18
"""Solid angles of triangles that are computed at once: arrays of some 20 MB."""
TETRAHEDRA_AT_ONCE = 2**18
"""Pairs of a point and a tetrahedron that are tested at once."""
MOST_SHELLS = 256
"""Most separate shells of a mesh, each of which is compared with all others."""
EDGES_SHOWN = 4
"""Open edges of a mesh that a message names."""
MOST_DRAWN_TRIANGLES = 20_000
"""Most triangles of a mesh that are drawn and stored with a run; a larger one is drawn coarser."""
MOST_NODES = 2**21
"""Most nodes of a tensor measure on a box or curve: with 3 × 3 tensors 150 MB."""
MOST_UNKNOWNS_OF_FIELDS = 600
"""Most coefficients of a search for Killing fields: its singular values take a second."""
FEWEST_SAMPLES = 7
"""Samples of a field along each axis: every second of them still makes four, which a cubic spline needs."""
MOST_CELLS = 8
"""Cells of a box along each axis and along time: 8⁴ of them have five million nodes."""
NODES_OF_CELLS = 6
"""Gauss–Legendre nodes along each axis of a cell: exact for polynomials of degree 11; two less estimate the error."""
MOST_LINES_OF_A_TUBE = 2000
"""World-lines that are compared in pairs."""
MOST_STATES = 2000
"""Most quantum states that are asked for at once, and most functions or elements along one coordinate."""
MOST_DENSE_UNKNOWNS = 4000
"""Most functions of an expansion of quantum states: its dense matrices have 128 MB each, and their eigenvalues take a minute."""
MOST_SPARSE_UNKNOWNS = 2_000_000
"""Most unknowns of finite elements: their factors take some 10 GB."""
NUMBERS_AT_ONCE = 2**22
"""Products of functions (32 MB) that are summed at once in the integrals of an expansion."""
LANES_OF_INTERPRETER = 64
"""Rows that the interpreter of tapes takes at once: enough that finding out what to do takes little of the time, and few enough that the
values of a long tape stay in the second cache. Measured: 0.5 ns for a value, and 0.9 ns with 16."""
JSON_PIECE = 4096
"""Entries of a list whose text is made at once: long enough that joining pieces takes no time, and short enough that the texts of single
numbers, which take ten times the memory of the whole, do not matter."""
