"""What bodies exchange with all that is outside them: wrenches, impulses and work, by what exerts them. Begin with `balance`.

`samples` evaluates the exchanges along a motion, `sums` adds them up over a window of time, `environment` gives the wrenches alone.
"""
