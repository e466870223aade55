"""Taylor series to machine precision, by heyoka or by Vinculum's own recurrences. Begin with `taylor`."""
