"""Balances of continua on given fields: `audit_media` in `audit`, the integrals over cells of space and time in `cells`."""
