"""Taylor series to machine precision, by heyoka or by our own recurrences. Begin with `taylor`."""
