"""A second process that examines files beside this one, so that a large tree takes less time.

Invariant: what comes back is exactly what this process would have worked out itself, so a report does not depend on whether
there was a helper; a helper that dies, hangs or cannot be started costs time and nothing else, because its work is then done
here. Both lower the files together, and it hands back compact examinations. Not handled here: which checks there are.
"""

from counterproof.analysis.workers.helper import Helper, helper_for

__all__ = ["Helper", "helper_for"]
