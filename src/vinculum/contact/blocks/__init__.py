"""Contacts between blocks of any kinds: shapes placed, rows of contacts, and target velocities. Begin with `rows`."""
