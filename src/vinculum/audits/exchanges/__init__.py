"""What bodies exchange with all that is outside them: wrenches, impulses and work, by what exerts them. Begin with `balance`.

`by_type` says what each type of model answers; `smooth` adds up samples along a motion that is smooth between impulses, `window` is the span
of time; `environment` gives the wrenches alone.
"""
