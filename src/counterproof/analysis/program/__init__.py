"""The program that the files make up together: what is where in a file, what a name means across files, who calls whom.

Invariant: one pass per module, bounded look-ups, source order; nothing here knows of entry points, sources or sinks. Not
handled here: what any of it means for security.
"""
