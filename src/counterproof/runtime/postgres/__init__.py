"""The journal of runs shared by many machines: the second implementation, in PostgreSQL, and its schema.

Imported only if a fleet is used; the driver library is part of the extra `fleet`.
"""
