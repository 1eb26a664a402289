"""Where things stand in the code: every call, assignment and comparison with its surroundings, and definitions across files.

Always holds: one pass per module, bounded look-ups, source order. Does not belong here: what any of it means for security.
"""
