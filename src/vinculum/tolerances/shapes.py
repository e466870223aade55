"""Geometry of shapes: distances, faces, directions. Compiled kernels of `collision` hold these numbers."""

# Distances
OPENED = 1e-2
"""How far overlapping shapes are moved apart before their distance is asked, in sizes: GJK needs a distance well above round-off."""
CLEARLY_APART = 1e-3
"""Distance, in sizes, above which shapes need not be moved apart for that."""
BETTER = 1e-12
"""Part of the size by which a gap must grow to be a better one: some thousand round-offs."""
EXACT_DISTANCE = 1e-15
"""Part of the distance to which that of polytopes is found: it ends in finitely many rounds."""
ROUGH_DISTANCE = 1e-1
"""Part of the distance to which that of cylinders is found before Newton's method takes over, at first."""
FINE_DISTANCE = 1e-6
"""The same again, where Newton's method did not converge from there."""
NEAREST_POINTS = 10.0
"""How much less exact than their distance nearest points may be."""
SURE = 1e-10
"""The part of the square of a distance by which it may be more than what is known to be the least one."""

# Faces and manifolds
FAVOR = 1e-3
"""By how much of its size another direction must do better than a face to be taken instead: manifolds of faces last longer."""
DEEPLY_INSIDE = 1e-2
"""Penetration, in sizes, from which on a better direction is sought from a second one too: there are several best ones."""
BESIDE_A_FACE = 1e-6
"""By how much of a shape's size the contacts of a face may be farther than the nearest points before these are taken too, or instead."""
ON_THE_RIM = 1e-9
"""Part of a face's size within which a point is on its rim: contacts at a common edge are kept by both faces."""
FACE_TURNS = 0.3
"""The most that a face turns within a step: beyond, contacts farther out may close first [rad]."""
CLEARLY_FIRST = 1e-9
"""Part of a face's size by which a contact must be ahead to be the first one in a direction."""
ALONG_A_FACE = 0.999
"""Cosine above which an axis of a box is the normal of the face that a capsule is over."""
SHALLOW = 0.1
"""Part of a body's reach by which it may be below a triangle to be in contact with it: deeper is behind a thin surface."""
AT_THE_END = 1e-3
"""Part of a capsule's length within which two contacts along it are one."""
CUT_WIDER = 1e-9
"""Part by which a face is wider when another is cut by it, so that common corners stay."""
CONCENTRIC = 1e-6
"""Distance of two discs' centers, in radii, below which their rims do not cross."""
RIM_WIDER = 1e-6
"""Part by which a squared radius is larger when points of another rim are asked for: these are on it."""

# Directions and intersections
PARALLEL_EDGES = 1e-9
"""Sine below which two edges have no common normal: their cross product has seven digits left."""
THROUGH = 1e-9
"""Part of a segment that has to be inside for it to pierce a shape; less is touching."""
PARALLEL_EDGES_SQUARED = 1e-12
"""Square of the sine below which two edges of boxes are parallel."""
PARALLEL_CAPSULES_SQUARED = 1e-6
"""Square of the sine below which capsules touch along a stretch: one contact would jump from end to end."""
NORMAL_CONE = 1e-9
"""Part of a triangle's size by which a normal may leave the cone of an edge or corner and belong to it still."""
SAME_NORMAL = 1e-7
"""Sum of differences within which normals of neighboring triangles are one: a plane cut into triangles."""
BESIDE_A_TRIANGLE = 1e-12
"""Barycentric coordinates by which a segment may miss a triangle and meet it still, so that none passes between two."""
PARALLEL_AXES = 1e-9
"""Sine below which two joint axes are parallel."""
FARTHEST_CROSSING = 4.0
"""Distance of a common normal, in distances of the joints, beyond which axes count as parallel."""
ALONG_A_SLAB = 1e-12
"""Component of a direction below which a ray runs along a side of a bounding box."""
BOX_MISSED = 1e-9
"""Part of the distance by which a ray must miss a bounding box: one through its edge meets it."""
STANDING = 1e-6
"""Sine below which a cylinder stands upright, so that its lowest point is taken along a fixed axis of its own."""
ALONG_A_BOX = 1e-9
"""Cosine below which a capsule runs along a side of a box and never leaves it."""
PARALLEL_CROSS = 1e-6
"""Sine below which the cross product of two edges, or of two rows, gives no direction: others stand for it."""
ALONG_THE_AXIS = 1e-14
"""Part of a direction below which it points along a cylinder's axis, and its whole rim is farthest."""
PARALLEL_LINES = 1e-4
"""Square of the sine below which two lines of shapes touch along a stretch."""
UPRIGHT_POLYGON = 1e-9
"""Part of a polygon's normal below which it is seen from its side and covers nothing."""

# Frames
AXIS_OF_FRAMES = 0.6
"""A normal whose first component is below this makes its tangents with the x axis, else with y: |n₁| and |n₂| cannot both be above."""

# Polytopes and triangles
FLAT_TRIANGLE = 1e-12
"""Area of a triangle, as part of the square of its size, below which it has no normal."""
SHARP_EDGE = 1e-9
"""Sine of the least angle at which an edge of a surface is convex, so that others may touch it."""
FLAT_POLYTOPE = 1e-9
"""Thickness of a polytope, as part of its size, below which it is flat, and within which corners are in one face."""
ON_A_FACE = 1e-10
"""Distance from a window's face, relative to the coordinates, within which a point is on it."""
ONE_SIDED = 1e-3
"""Least cosine of all normals with their mean for a surface to be seen from one side."""

# Stored shapes
STORED_AGREES = 1e-9
"""Relative: what was computed again from stored numbers differs by round-off only."""
STORED_ROTATION = 1e-6
"""How far stored attitudes may be from rotations: quaternions of a run are renewed at every step."""

# Iterations
ASCENTS = 12
"""Most steps of ascent from a direction to a better one."""
AXIS_STEPS = 12
"""Most Newton steps for the normal between two curved shapes."""
AXIS_DONE = 1e-9
"""The last step of Newton's method [rad]: after it the error is its square."""
AXIS_LONGEST = 0.3
"""The longest such step [rad], within which the shapes' curvature holds."""
GJK_ROUNDS = 100
"""Most simplices of GJK, which ends after finitely many for polytopes."""
LEVEL = 1e-12
"""Slopes of a squared distance below this are taken for none, and then the end of a level stretch is taken."""
SEGMENT_DONE = 1e-12
"""Part of a segment below which a step along it ends the search."""
SEGMENT_ROUNDS = 60
"""Most bisections for the nearest point of a segment: all digits of a number."""

# Room in arrays
TRIANGLES_OF_A_LEAF = 4
"""Triangles of a leaf of a tree of bounding boxes: tested one by one as quickly as another level of boxes."""
CORNERS_OF_A_CUT = 64
"""Most corners of a polygon of directions that is cut."""
DEPTH_OF_BOXES = 64
"""Most levels of a tree of bounding boxes: of halves, more than numbers of triangles have."""
SIZE_CLASS = 1e-9
"""Part of a power of two within which a body belongs to the finer grid of the broad phase."""
