"""Runs in a process that can be killed: a file that breaks a parser, a pattern or an analysis cannot exceed the limits.

A command, and the process of a run that a coding agent started, first forks. The child does all the work; the parent wakes a
few times a second, and checks the child's memory, its processor time and the clock. A child that exceeds a limit is killed at
any point, and another one continues from the journal without the file being processed. Invariant: a run within its limits
gives the same bytes with or without supervision; killing the parent kills the child. On systems other than Linux there is no
supervision, and limits are checked only between files. Not handled here: processing a file.
"""
