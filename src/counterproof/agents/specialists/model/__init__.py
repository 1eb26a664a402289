"""Specialists driven by a model. The engine numbers, checks and counts; a model only reports what it sees.

Invariant: instructions and data are separate (R5); a reply carries its task's marker (R8); a model's output is parsed, bounded
and checked against the files before it counts; the embedded checks of a specialist's domains run as well.
"""
