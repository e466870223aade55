"""Geometry of shapes: distances, faces, directions. Compiled kernels of `collision` hold these numbers."""

# Distances
OPENED = 1e-2
"""Overlapping shapes are moved apart by this fraction of their size before their distance is computed: GJK needs a distance well above
round-off."""
CLEARLY_APART = 1e-3
"""Shapes farther apart than this, in sizes, need not be moved apart for that."""
BETTER = 1e-12
"""A gap is better if it is larger by this fraction of the size: some thousand round-offs."""
EXACT_DISTANCE = 1e-15
"""Relative accuracy of the distance of polytopes. The algorithm ends after finitely many rounds."""
ROUGH_DISTANCE = 1e-1
"""Relative accuracy of the distance of cylinders at which Newton's method first takes over."""
FINE_DISTANCE = 1e-6
"""The same for the second attempt, if Newton's method did not converge from there."""
NEAREST_POINTS = 10.0
"""Factor by which nearest points may be less accurate than their distance."""
SURE = 1e-10
"""Fraction by which the square of a distance may exceed its known lower bound."""

# Faces and manifolds
FAVOR = 1e-3
"""Another direction replaces a face only if it separates better by this fraction of the size: manifolds of faces last longer."""
DEEPLY_INSIDE = 1e-2
"""For penetrations above this, in sizes, a second direction is optimized too: there are several local optima."""
BESIDE_A_FACE = 1e-6
"""The nearest points are added to, or replace, the contacts of a face if these are farther away by this fraction of a shape's size."""
ON_THE_RIM = 1e-9
"""A point is on the rim of a face within this fraction of the face's size: contacts at a common edge are kept by both faces."""
FACE_TURNS = 0.3
"""Largest rotation of a face within a step [rad]. Beyond it, contacts farther out may close first."""
CLEARLY_FIRST = 1e-9
"""A contact is the first in a direction if it is ahead by this fraction of a face's size."""
ALONG_A_FACE = 0.999
"""An axis of a box is the normal of the face below a capsule if the cosine is above this."""
SHALLOW = 0.1
"""A body touches a triangle if it is below it by less than this fraction of its reach. Deeper bodies are behind a thin surface."""
AT_THE_END = 1e-3
"""Two contacts along a capsule are one if they are within this fraction of its length."""
CUT_WIDER = 1e-9
"""Fraction by which a face is enlarged when another is clipped against it, so that common corners stay."""
CONCENTRIC = 1e-6
"""The rims of two discs do not cross if the distance of their centers is below this, in radii."""
RIM_WIDER = 1e-6
"""Fraction by which a squared radius is enlarged when points of another rim are tested: these may lie exactly on it."""

# Directions and intersections
PARALLEL_EDGES = 1e-9
"""Two edges have no common normal if the sine of their angle is below this: their cross product has seven digits left."""
THROUGH = 1e-9
"""A segment pierces a shape if more than this fraction of it is inside. Less is touching."""
PARALLEL_EDGES_SQUARED = 1e-12
"""Two edges of boxes are parallel if the squared sine of their angle is below this."""
PARALLEL_CAPSULES_SQUARED = 1e-6
"""Capsules touch along a segment if the squared sine of their angle is below this: a single contact would jump from end to end."""
NORMAL_CONE = 1e-9
"""A normal belongs to the cone of an edge or corner if it leaves it by less than this fraction of a triangle's size."""
SAME_NORMAL = 1e-7
"""Normals of neighboring triangles are the same if the sum of their differences is below this: a plane that is cut into triangles."""
BESIDE_A_TRIANGLE = 1e-12
"""A segment hits a triangle if it misses it by less than this in barycentric coordinates, so that none passes between two triangles."""
PARALLEL_AXES = 1e-9
"""Two joint axes are parallel if the sine of their angle is below this."""
FARTHEST_CROSSING = 4.0
"""Axes count as parallel if their common normal is farther away than this, in distances of the joints."""
ALONG_A_SLAB = 1e-12
"""A ray is parallel to a side of a bounding box if a component of its direction is below this."""
BOX_MISSED = 1e-9
"""A ray misses a bounding box if it passes by more than this fraction of the distance. A ray through an edge hits it."""
STANDING = 1e-6
"""A cylinder stands upright if the sine is below this. Its lowest point is then taken along a fixed axis of its own."""
ALONG_A_BOX = 1e-9
"""A capsule is parallel to a side of a box, and never leaves it, if the cosine is below this."""
PARALLEL_CROSS = 1e-6
"""The cross product of two edges, or of two rows, gives no direction if the sine is below this. Other directions replace it."""
ALONG_THE_AXIS = 1e-14
"""A direction points along a cylinder's axis if its transverse part is below this fraction. The whole rim is then farthest."""
PARALLEL_LINES = 1e-4
"""Two lines of shapes touch along a segment if the squared sine of their angle is below this."""
UPRIGHT_POLYGON = 1e-9
"""A polygon is seen edge-on, and covers nothing, if its normal has less than this fraction along the line of sight."""

# Frames
AXIS_OF_FRAMES = 0.6
"""Tangents of a normal are built with the x axis if its first component is below this, else with y: |n₁| and |n₂| cannot both be above."""

# Polytopes and triangles
FLAT_TRIANGLE = 1e-12
"""A triangle has no normal if its area is below this fraction of its squared size."""
SHARP_EDGE = 1e-9
"""An edge of a surface is convex, so that others may touch it, if the sine of its angle is above this."""
FLAT_POLYTOPE = 1e-9
"""A polytope is flat if its thickness is below this fraction of its size. Corners within this distance belong to one face."""
ON_A_FACE = 1e-10
"""A point is on a face of a window if its distance from it is below this, relative to the coordinates."""
ONE_SIDED = 1e-3
"""A surface is seen from one side if all its normals have at least this cosine with their mean."""

UNSEEN_CORNER = 1e-3
"""Fraction of a cell that the boundary of a region may cut off beside all lines of a rule, over the height of the corner: the first of five
Gauss points is at 0.047 of a side, and a corner of that depth has half its square."""
NARROWEST_CELL = 2.0**-40
"""Cells of an integral are not bisected below this fraction of a chart: positions in them would have three digits left."""
GAP_OF_SMOOTH_PAIRS = 0.2
"""Two bodies are integrated by rules over the whole of each if the gap between them is above this fraction of the larger one's diagonal.
Nearer to each other, rules of rising order agree before they are right."""

STEEP_PAIR = 10.0
"""The force between two cells is uneven, and no rule is trusted, if its largest value exceeds its mean by this factor: cells that touch
have thirty times the mean at 1/r², cells whose gap is half their size eight times."""

# Stored shapes
STORED_AGREES = 1e-9
"""Relative difference between stored and recomputed numbers: round-off only."""
STORED_ROTATION = 1e-6
"""Largest distance of stored attitudes from rotations: quaternions of a run are normalized at every step."""

# Iterations
ASCENTS = 12
"""Most steps of ascent from one direction to a better one."""
AXIS_STEPS = 12
"""Most Newton steps for the normal between two curved shapes."""
AXIS_DONE = 1e-9
"""The last step of Newton's method [rad]: after it the error is its square."""
AXIS_LONGEST = 0.3
"""The longest such step [rad], within which the shapes' curvature holds."""
STEPS_ON_THE_ELLIPSOID = 60
"""Most Newton steps for the point of an ellipsoid nearest to another point: three or four for usual ones, more for very flat ones."""
ON_THE_ELLIPSOID = 1e-14
"""A vector this near to length one is a point of the unit sphere, to a few round-offs of the solution of three equations."""
GJK_ROUNDS = 100
"""Most simplices of GJK, which ends after finitely many of them for polytopes."""
LEVEL = 1e-12
"""Derivatives of a squared distance below this are zero. The end of a level segment is then taken."""
SEGMENT_DONE = 1e-12
"""The search on a segment ends if a step is below this fraction of it."""
SEGMENT_ROUNDS = 60
"""Most bisections for the nearest point of a segment: all digits of a number."""
FREE_DIRECTION = 1e-9
"""A joint moves along or about a direction if its unit velocities do so by more than this; an axis has length one. It decides only what
symbol is drawn."""

# Room in arrays
TRIANGLES_OF_A_LEAF = 4
"""Triangles in a leaf of a tree of bounding boxes. Testing them one by one is as fast as another level of boxes."""
CORNERS_OF_A_CUT = 64
"""Most corners of a clipped polygon of directions."""
DEPTH_OF_BOXES = 64
"""Most levels of a tree of bounding boxes. Each level halves the triangles, so no surface needs more."""
FEW_SHAPES = 16
"""Number of shapes up to which near pairs are found by looking at all: 120 distances cost less than the cells of a grid."""
MARGIN_OF_FEW = 4.0
"""Factor of the margin within which so few shapes are near: a distance costs less than the list anew."""
SIZE_CLASS = 1e-9
"""A body belongs to the finer grid of the broad phase within this fraction above a power of two."""
WORLD_LINES_MEET = 1e-12
"""Distance of two world-lines at which they cross, relative to the largest coordinate: round-off of both positions, and a margin."""
