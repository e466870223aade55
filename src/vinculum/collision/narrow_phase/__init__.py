"""Narrow phases: for spheres, for primitives, for all shapes. `choice` selects one; others call it through `entry`."""
