"""Data that outlives a request: what handlers write into tables, models and collections, and what others read back.

Always holds: something read back counts as untrusted only where the code also writes request data to the same place, and only
for rules that ask for it. Does not belong here: what is done with it afterwards.
"""
