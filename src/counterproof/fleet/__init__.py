"""Many machines: a queue of runs in PostgreSQL, the workers that take from it, and the scheduler that fills it for a batch.

Invariant: the database says who drives a run, and for how long; a worker that was thought dead can write, spend and hand in
nothing more; workers share the database and nothing else. Not handled here: how an audit runs, and what a batch reports.
"""
