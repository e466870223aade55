"""Narrow phases: of spheres, of primitives, of all shapes. `choice` says which one shapes need, `entry` is how others call it."""
