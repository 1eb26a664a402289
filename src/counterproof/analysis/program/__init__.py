"""The program that the files form together: outlines of files, name resolution across files, and calls.

Invariant: one pass per module, bounded lookups, source order; nothing here knows entry points, sources or sinks. Not handled
here: security.
"""
