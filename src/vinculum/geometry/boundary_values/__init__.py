"""Boundary-value problems of stationary action, by collocation: actions of systems, meshes, the discrete problem, its solution by IPOPT,
conditions that cannot be met, and refinement. Begin with `problem`."""
