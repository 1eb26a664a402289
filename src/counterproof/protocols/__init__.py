"""The protocols: pure state machines that decide which tasks are given, what counts as evidence and when to stop.

No I/O. Time, ids and randomness arrive in events.
"""
