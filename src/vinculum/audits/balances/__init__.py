"""Balance laws L(t₂) − L(t₁) = ∫ R dt, step by step, with the errors that are admitted.

A line gets its tolerance in `lines`, from what `admitted` adds up.
"""
