"""Whether a program has user accounts: only then can one user have data that another must not get.

A program without authentication serves its operator, often one person on their own machine.
"""

import re

from counterproof.analysis.libraries import names
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.model.survey import FileRole, Language

_CALLERS = re.compile(
    r"\bsession(?:\[|\.(?:get|pop|setdefault|update)\()|flask_(?:login|security|jwt|httpauth|user|principal)|\bjwt\b|\bdjango\b"
    r"|SessionMiddleware|set_(?:secure|signed)_cookie|current_user|login|sign_?[iI]n\b|\breq(?:uest)?\.(?:session|user)\b"
    rf"|[aA]uthenticat|{'|'.join(map(re.escape, names('guard', 'account', None)))}"
)
"""Text in programs that authenticate callers; in doubt it counts."""


def knows_callers(project: Project) -> bool:
    return project.once("knows its callers", lambda: any(map(_CALLERS.search, _running(project))))


def _running(project: Project) -> list[str]:
    files = (each for language in (Language.PYTHON, *SCRIPTS) for each in project.of_language(language))
    return [project.text(each.path) for each in files if each.role is FileRole.RUNTIME]
