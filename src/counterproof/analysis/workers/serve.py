"""What the helper process does: receives a survey and names of families, examines, and sends each result as soon as it is
there.

Invariant: it ends when the process that started it is gone or closes the line, at the next file; when told to stop it hands in
what it has, as every examination does at the end of its time. Once all is sent, it keeps the modules that it lowered for the
next run. Not handled here: starting the process.
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
    os.dup2(2, 1)  # nothing that a library prints may get between the messages
    root, survey, names, kept, lines = received(lambda count: os.read(commands, count))

    def checkpoint() -> None:
        if select.select([commands], [], [], 0)[0]:
            if not os.read(commands, 1):
                os._exit(1)
            raise OutOfTime("the time limit was reached")

    from counterproof.analysis.cache import Results, Store
    from counterproof.analysis.cache.modules import Lowered
    from counterproof.analysis.cache.traits import Told
    from counterproof.analysis.families import APART  # loads every family of checks, so only once there is work
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
