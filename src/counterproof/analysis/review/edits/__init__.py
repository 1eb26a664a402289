"""The effect of a change on existing code: both sides are parsed, aligned by symbol, and compared edit by edit.

Invariant: a new file is compared with nothing. A remark without `proved` assumes that the old code had a reason, and is shown as
minor. Not handled here: filing findings.
"""
