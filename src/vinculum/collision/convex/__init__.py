"""Convex shapes of any kind: distance by GJK, penetration depth, contacts."""
