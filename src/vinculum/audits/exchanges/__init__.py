"""What bodies exchange with all that is outside them: wrenches, impulses and work, by what exerts them. Begin with `balance`.

`by_type` is the interface that each type of model implements. `smooth` adds up samples along motions that are smooth between impulses,
`stepped` has what time stepping needs, `window` the span of time; `environment` gives the wrenches alone.
"""
