"""The composition root: creates and wires the parts. User interfaces call this package and nothing below it."""
