"""Many audits as one command on this machine: targets read, jobs run in processes of their own, one ledger, one report over all.

Invariant: every target ends in a row, whatever became of it; what a killed batch had done is done, and what it had begun is
gone on with; money is reserved in the ledger before a job may spend it. Not handled here: how an audit decides, and other
machines.
"""
