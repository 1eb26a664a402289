"""A run inside a process that can be ended: nothing that a file does to a parser, a pattern or an analysis outlasts the limits.

The first act of a command, and of the process of a run that a coding agent started, is to fork. The child does all the work; the
parent sleeps, wakes a few times a second, and looks at the child's memory, its processor time and the clock. A child that is past
a limit is ended in the middle of whatever it does, and another goes on from the journal without the file that it was at. Always
holds: a run that stays within its limits gives the same bytes whether it is watched or not; whoever ends the parent ends the
child. Where the system is not Linux nobody watches, and limits are held between files alone. Not handled here: what is done
with a file.
"""
