"""Findings without a flow, judged by reading their place again, by another route than the rules take.

Rules look at the syntax tree; the readers here look at the text of the statement. Always holds: what the text does not settle
is partial. Does not belong here: flows.
"""

from counterproof.analysis.backward.rereading.reread import reread

__all__ = ["reread"]
