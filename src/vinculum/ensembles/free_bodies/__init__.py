"""Many runs of free bodies in contact."""
