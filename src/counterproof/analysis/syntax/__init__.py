"""Source text as structure: one small intermediate form for every language, and the parsers that lower to it.

Invariant: lowering never fails and never runs target code; what could not be understood is an `Unknown` node and, where it may
hide something, a limitation. Not handled here: judgements about what the code does.
"""
