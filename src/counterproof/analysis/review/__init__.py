"""What is certain about a change: what it touches, what surrounds it, and what checks can show about it.

Always: only surveyed files are read; nothing of the target is run; claims are proposals with a line behind each. Who reviews,
who votes and what is reported do not belong here.
"""
