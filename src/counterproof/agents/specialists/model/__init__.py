"""Specialists that a model drives. The engine numbers, checks and counts; a model only says what it sees.

Invariant: instructions and data travel apart (R5); a reply carries its task's marker (R8); what a model hands in is parsed,
bounded and checked against the files before it counts; the embedded checks of a specialist's domains work beside its model.
"""
