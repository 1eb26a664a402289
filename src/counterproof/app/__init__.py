"""The composition root: picks the parts and wires them. The surfaces call this package and nothing below it."""
