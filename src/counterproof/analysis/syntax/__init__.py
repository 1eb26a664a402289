"""Source text as structure: one small intermediate form for every language, and the parsers that lower to it.

Invariant: lowering never fails and never runs target code; unsupported syntax becomes an `Unknown` node and, if it may hide
something, a limitation. Not handled here: judging code.
"""
