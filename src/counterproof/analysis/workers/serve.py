"""The helper process: receives a survey and names of families, examines, and sends each result when it is ready.

Invariant: it ends at the next file when its parent process is gone or closes the pipe; when told to stop it returns its results
so far, as every examination does at its time limit. After sending everything, it stores its lowered modules for the next run. Not
handled here: starting the process.
"""

import contextlib
import gc
import os
import select
import sys

from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.workers.wire import packed, received


def main() -> None:
    """Serve one request on the standard streams."""
    commands, results = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # library output must not get between the messages
    root, survey, names, kept, lines = received(lambda count: os.read(commands, count))

    def checkpoint() -> None:
        if select.select([commands], [], [], 0)[0]:
            if not os.read(commands, 1):
                os._exit(1)
            raise OutOfTime("the time limit was reached")

    from counterproof.analysis.cache import Results, Store
    from counterproof.analysis.cache.modules import Lowered
    from counterproof.analysis.cache.traits import Told
    from counterproof.analysis.families import APART  # loads every family of checks, so only when there is work
    from counterproof.analysis.reuse import settle
    from counterproof.analysis.workers.together import Together
    from counterproof.installation import adopt

    gc.disable()  # trees have no cycles, and this process ends soon
    project = Project(root, survey, checkpoint)
    folder, secret, installation = kept
    adopt(installation)
    used: dict[str, int] = {}
    if folder:
        store = Store(folder, secret)
        used = store.used
        project.results = Results(store)
        project.lowered = Lowered(store, survey.name)
        project.told = Told(store, project)
    project.together = Together(project, *lines, backwards=True)
    with open(results, "wb") as line:
        for name in names:
            line.write(packed((name, APART[name](project), used)))
            line.flush()
        settle(project)
        if project.lowered:
            with contextlib.suppress(OutOfTime):
                project.lowered.keep(project)


if __name__ == "__main__":
    sys.exit(main())
