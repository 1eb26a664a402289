"""Many audits as one command on this machine: reads targets, runs jobs in separate processes, keeps one ledger, writes one
combined report.

Invariant: every target ends as a row, whatever happened; finished work of a killed batch is kept, and started work is resumed;
money is reserved in the ledger before a job may spend it. Not handled here: how an audit decides, and other machines.
"""
