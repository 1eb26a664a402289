"""The data layer: one module per kind of record, nothing but SQL."""
