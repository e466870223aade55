"""What motions ask of free bodies in contact: impulses of every place where two of them press."""
