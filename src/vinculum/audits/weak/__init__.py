"""The weak form of the equations of motion, paired with test fields. Begin with `residual`."""
