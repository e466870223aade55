"""RK4, velocity Verlet and implicit midpoint with a fixed step."""
