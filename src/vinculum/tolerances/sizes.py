"""Sizes: limits of what is accepted, done at once, kept, and printed."""

# Refused if larger
MOST_FIELDS = 100_000
"""Most fields that a user may ask for at once: minutes of work."""
HIGHEST_MULTIPOLE = 40
"""Highest degree of a multipole expansion that is asked for: its formulas are written out."""
MOST_WRITTEN_PAIRS = 5000
"""Pairs of points that are written out one by one; beyond, their equations would be traced for minutes."""
LARGEST_TAPE = 1 << 30
"""Numbered values of a tape: operands are 32-bit integers."""
LARGEST_ORDER = 400
"""Highest order of a power series that a user may ask for."""
MOST_GAPS = 64
"""Unilateral constraints that are watched each: a series with more events takes longer for these than for its steps."""
MOST_POINTS = 1 << 17
"""Points of the finest grid."""
IDAS_STEPS = 20_000
"""Most steps of IDAS between two points."""
MOST_DIMENSIONS = 64
"""Most dimensions of a space."""
HIGHEST_DEGREE = 100
"""Of polynomials that are integrated exactly: a ball then has a quarter of a million points."""
SMALLEST_LENGTH = 1e-60
"""Least length [m] whose fifth power, as in a second moment, is a number still."""
LARGEST_LENGTH = 1e60
"""Largest such length [m]."""
MOST_COUNTED = 2**31
"""What is counted in a model is less than this: numbers of 32 bits."""
MOST_TOUCHED = 2000
"""Bodies that actions may list one by one; beyond, they cannot be traced in a reasonable time."""
LARGEST_TEXT = 1 << 26
"""Bytes of a description; the longest holds the log and a checksum for every MB of a run."""
LARGEST_CONTENT = 1 << 31
"""Bytes of a model or of phases: a million bodies with shapes take a quarter of it."""
MOST_VELOCITIES_IN_CONTACT = 600
"""Velocities of a tree with contacts, which are solved with its whole mass matrix."""
LONGEST_FORMULA = 2000
"""Characters of a formula of a model file."""
DEEPEST_FORMULA = 100
"""Levels of brackets of one."""
MOST_ARGUMENTS = 100
"""Arguments of min and max in one."""
LARGEST_EXPONENT = 330
"""Exponent of ten of a number in a model file: a little more than numbers have."""
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

# From which on another way is quicker
CROWD_OF_CERTIFICATES = 1000
"""Bodies from which on fewer fields are drawn for each of them."""
FEWEST_LOOPED_PAIRS = 780
"""A pair action with more pairs runs as a loop: compiling forty points as one straight line takes seconds."""
PAIRS_WORTH_SHARING = 4000
"""Pairs from which on threads share a loop."""

# Tapes
LONG_TAPE = 5000
"""Tapes with more operations are put in the order that spills least: what they spill no longer fits the first-level cache."""
WIDE_TAPE = 2000
"""Tapes with more results are compiled without optimization, whose time grows with the square of their number."""
UNDIVIDED_TAPE = 20_000
"""Most operations that are one block of machine code; LLVM allocates its registers in a time that grows with the square of their number."""
PART_OF_TAPE = 500
"""Operations in each part of a longer one."""
LARGEST_TAYLOR_TAPE = 12_000
"""Operations of equations up to which series are taken by default; heyoka compiles more for long."""

# Formulas
OPERATIONS_PER_ENTRY = 40
"""Operations per entry of a frame beyond which conserved functions are not sought by algebra."""
OPERATIONS_OF_A_RATE = 400
"""Operations of a rate beyond which it is not looked at."""
MOST_PRODUCTS = 400
"""Products of vectors that are tried for an invariant."""
OPERATIONS_SIMPLIFIED = 400
"""Operations of an equation up to which SymPy simplifies it."""
TERMS_OF_A_SUM = 2000
"""Terms of a sum beyond which it is not brought into canonical form."""
TERMS_OF_AN_EQUATION = 60
"""Terms of an equation beyond which values are named instead."""
HARMONICS_OF_A_TERM = 10
"""Harmonics that a term may come from."""
LARGEST_INVERSE = 3
"""Rows of a matrix whose inverse is written out."""
LONGEST_DENOMINATOR = 9999
"""Fractions with larger numerators or denominators are printed as decimals."""
LARGEST_COEFFICIENT = 10000
"""Coefficients up to which a common factor of a sum is taken out."""
SIMPLE_NUMBER = 9
"""The largest number that may stand inside a bracket of rates."""
HIGHEST_HARMONIC = 4
"""Highest multiple of an angle in a product of sines and cosines that is sought."""
ANGLES_OF_A_PRODUCT = 3
"""Angles of such a product."""
SMALL_TREE = 10
"""Velocities up to which a mass matrix is inverted as formulas."""
NODES_OF_SWITCHES = 20000
"""Nodes of a graph beyond which its switches are not looked at."""
SMALL_DENOMINATOR = 1000
"""Denominators up to which a decimal is read as a fraction, if that is the same number."""

# Terms of series
MULTIPOLE_ORDER = 40
"""Multipole moments up to this degree are computed; beyond it they are below the mean of |x|ⁱ over the masses."""
MULTIPOLE_TERMS = 300
"""Degrees i + j that are added one by one; the rest is below a geometric series."""
SMALLEST_FACTOR = 1e-290
"""Factors of a product are gathered above this, where none is lost."""
LARGEST_FACTOR = 1e290
"""Factors of a product are gathered below this."""
ANGLE_HALVINGS = 3
"""How often an angle is halved before its series."""
ANGLE_TERMS = 14
"""Terms of the series of a halved angle: to round-off."""
SERIES_BELOW = 1e-3
"""Squared angle below which functions of angles are series of four terms, good to round-off."""

# Work that is done at once
MOST_SENSITIVITY_ROWS = 20_000
"""Most states that are evaluated for sensitivities, over all instants: a second of work."""
NUMBERS_OF_A_WINDOW = 20_000_000
"""Numbers of a window that are held at once, of all bodies: 160 MB."""
STEPS_OF_A_BLOCK = 200
"""Steps that are looked at together."""
MOST_LEGS = 2_000_000
"""Most pairs of a step and a body whose ways are followed; of longer runs every n-th instant."""
LONGEST_CALL = 100_000
"""Most steps of one call of compiled code, so that an interrupt is heard."""
SHORT_CALL = 256
"""The same where each step is looked at."""
CALL_OF_REDUNDANT_CONDITIONS = 64
"""The same where redundant conditions may contradict each other on the way."""
SECONDS_PER_CHUNK = 0.1
"""Seconds of compiled steps between two looks at events and interrupts."""
LARGEST_CHUNK = 16_384
"""Most steps between two looks."""
CHUNK_OF_FIXED_STEPS = 4096
"""Fixed steps between two looks at a run."""
CHUNK_OF_CLOSED_LOOPS = 64
"""The same where conditions or charts are looked at."""
FREE_BODIES_NUMBERS_PER_CHUNK = 1_000_000
"""Numbers of states of free bodies between two looks: 8 MB."""
NUMBERS_PER_BODY = 60
"""Numbers that an output instant keeps for every free body."""
FREE_BODIES_INSTANTS = 1001
"""Most output instants of free bodies where no grid is given."""
IDAS_CHUNK = 4096
"""Steps that IDAS gives out at once."""
INTERVALS_OF_A_BLOCK = 4096
"""Intervals that are interpolated together."""
CHUNK_OF_TIME_STEPS = 1024
"""Time steps between two looks at a run."""
ROOM_FOR_CUT_STEPS = 256
"""Further rows for steps that are cut at impacts."""
LOOP_NUMBERS_PER_CHUNK = 2_000_000
"""Numbers of states of a pair loop between two looks: 16 MB."""
MOST_STEPS_PER_CHUNK = 256
"""Most steps between two looks."""
LOOP_ROWS = 256
"""States whose events are evaluated at once."""
NUMBERS_PER_POINT = 24
"""Numbers that an output instant keeps for every point."""
LARGEST_CHUNK_OF_CHARTS = 128
"""Most steps of a series between two looks at charts, which may have to change."""
OBSERVED_ROWS = 64
"""States of a pair loop that are observed at once."""
STEPS_LOOKED_AT = 2048
"""Steps that are looked at together."""
NUMBERS_LOOKED_AT = 100_000
"""Numbers of their states: a block of a thousand bodies is a few steps."""
WORTH_COMPILED_CODE = 20_000
"""Coefficients of polynomials from which on compiled code evaluates them."""
NUMBERS_OF_FIELDS = 4_000_000
"""Numbers that are held at once for the nodes of test fields: some tens of megabytes."""
NODES_AT_ONCE = 20_000
"""Nodes of a quadrature at which reactions are evaluated at once."""

# Memory
BYTES_OF_KEPT_INTEGRATORS = 2**28
"""Bytes of compiled integrators on disk: heyoka looks at all of them before it adds one, a minute of reading where there are gigabytes."""
KEPT_TAPES = 128
"""Compiled tapes that are kept though nobody holds them: some twenty systems, of half a megabyte each."""
STATES_IN_MIND = 8
"""States of an event-driven run whose contacts are kept: each is asked for by several questions in a row."""
SLAB = 16 << 20
"""Bytes of a slab of memory for steps."""
SMALLEST_SLAB_USER = 1 << 20
"""Bytes below which memory comes from the system."""
KEPT_SLABS = 6
"""Free slabs that are kept."""
LARGEST_IN_MEMORY = 3 * 2**29
"""Bytes of steps that are held in memory; a longer run is refused and told to be stored."""
WORTH_LEAVING_APART = 1 << 20
"""Bytes of steps that take longer to copy than to be read from several places."""
ROOM_OF_TRIALS = 2**25
"""Bytes of steps after which a run that only tries multipliers is given up."""

# Records
FREE_BODIES_RECORD = 12
"""Numbers of a record of a contact that presses between free bodies."""
TREE_RECORD = 22
"""Numbers of a record of a contact of a tree: step, both bodies, position, axes, gap, impulses of the three rows and of the three about
the axes."""

# Texts
CERTIFICATE_LINES = 24
"""Most lines of a certificate that are printed, the worst ones; all of them stand in its data."""
REPORT_WIDTH = 118
"""Characters of a line of a report."""
PASSAGES_LISTED = 4
"""Singular positions that are named in a certificate."""
PROBLEMS_OF_A_CACHE = 10
"""Problems of a cache that are listed."""
BODIES_NAMED = 6
"""Bodies of a model that are named."""
FREEDOMS_PRINTED = 4
"""Velocities up to which equations are shown when printed."""
LONG_LINE = 1000
"""Characters of an equation beyond which it is not shown."""
LONGEST_VALUE = 160
"""Characters of a value in a message."""
LONGEST_LINE = 1100
"""Characters of a line of a message."""
KEPT_BEFORE = 520
"""Characters that stay of a longer one at its begin, where the object is named."""
KEPT_AFTER = 520
"""Characters that stay of it at its end, where the remedy is named."""
CHANGES_LISTED = 20
"""Changes of charts that are listed."""
NUMBERS_LISTED = 12
"""Numbers of a state that are listed."""
CONDITIONS_LISTED = 16
"""Numbers of conditions that are listed."""
COLUMNS_LISTED = 16
"""Columns of a given table that are listed, kinds of phases that are told apart, and instants between two breaks that are looked at."""
ENTRIES_SHOWN = 16
"""Entries of an array up to which a message shows them all."""
UNILATERALS_NAMED = 7
"""Unilateral constraints up to which each has a color."""
JUMPS_DRAWN = 4000
"""Jumps up to which they are drawn one by one."""
PROBLEMS_LISTED = 12
"""Problems of a model file that are listed."""
