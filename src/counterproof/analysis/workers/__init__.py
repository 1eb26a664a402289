"""A helper process that examines files in parallel, so that a large tree takes less time.

Invariant: its results are exactly those that this process would compute itself, so a report does not depend on the helper; a
helper that dies, hangs or cannot be started costs only time, because its work is then done here. Both lower the files together,
and it returns compact examinations. Not handled here: the checks.
"""

from counterproof.analysis.workers.helper import Helper, helper_for

__all__ = ["Helper", "helper_for"]
