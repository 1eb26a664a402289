"""The journal of runs that many machines share: its second implementation, in PostgreSQL, and the schema it needs.

Nothing here is imported unless a fleet is used; the driver library comes with the extra `fleet`.
"""
