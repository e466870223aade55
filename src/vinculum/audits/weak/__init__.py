"""The weak form of the equations of motion against test fields."""
