"""Row 8: the equations as a user gets them: formulas, code and numbers."""
