"""The equations of motion in the forms of Lagrange, Hamilton, Telegin, Boltzmann and Hamel. Begin with `lagrange`."""
