"""The protocols: pure machines that decide what is asked, what counts as evidence and when to stop.

Nothing here does I/O. Time, ids and chance come in with events.
"""
