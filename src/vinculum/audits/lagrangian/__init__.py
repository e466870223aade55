"""The certificate of a motion of a system given by a Lagrangian."""
