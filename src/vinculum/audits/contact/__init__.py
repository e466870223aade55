"""Contact along a motion: gaps, forces in their cones, penetration."""
