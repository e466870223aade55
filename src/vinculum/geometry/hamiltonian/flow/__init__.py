"""The flow of a Hamiltonian and of its variational equations, by compiled adaptive loops. Begin with `tapes`, then `lanes`."""
