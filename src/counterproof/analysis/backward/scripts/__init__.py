"""The second witness for JavaScript and TypeScript: from a sink backwards through names, parameters and callers.

Always holds: nothing here uses what the forward engine concluded; what is not settled is left open, never guessed. Does not
belong here: Python, which has a fuller walk of its own.
"""

from counterproof.analysis.backward.scripts.deep_dive import Followed, follow_script
from counterproof.analysis.backward.scripts.verdict import judge_script

__all__ = ["Followed", "follow_script", "judge_script"]
