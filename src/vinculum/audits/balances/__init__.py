"""Balance laws L(t₂) − L(t₁) = ∫ R dt, step by step, with their tolerances.

Begin with `tally`. A line gets its tolerance in `lines`, from the errors that `admitted` estimates.
"""
