"""Audits on many machines: a queue of runs in PostgreSQL, the workers that take from it, and the scheduler that fills it for a
batch.

Invariant: the database decides who drives a run, and for how long; a worker that was considered dead can no longer write,
spend or submit; workers share only the database. Not handled here: how an audit runs, and what a batch reports.
"""
