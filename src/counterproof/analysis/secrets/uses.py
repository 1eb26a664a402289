"""Where a secret that stands in the source is used: what its proof rests on beside the value (A55).

Always holds: a use stands in code that runs, never in a test, and names the secret. Does not belong here: whether it is a secret.
"""

import re

from counterproof.analysis.project import Project
from counterproof.analysis.proofs import fact_at
from counterproof.analysis.secrets.candidate import Candidate, Place
from counterproof.analysis.secrets.naming import MAX_NAME
from counterproof.model.fact import Fact, Operation
from counterproof.model.location import at

IN_PLACE = (Place.PASSED, Place.COMPARED, Place.SEEDED)
"""The literal is used where it stands."""
SIGNING = ("SECRET_KEY", "JWT_SECRET_KEY", "SECURITY_PASSWORD_SALT", "WTF_CSRF_SECRET_KEY")
"""Settings by which frameworks get the key that they sign sessions and tokens with."""
MAX_TRIED = 20


def use_of(project: Project, candidate: Candidate) -> Fact | None:
    """The first place that uses the secret, by its name; None where none was seen."""
    here = at(candidate.path, candidate.line)
    if candidate.place in IN_PLACE or candidate.handed:
        return fact_at(project, here)
    name = candidate.name.rpartition(".")[2][:MAX_NAME]
    if name.upper() in SIGNING and candidate.place is not Place.DEFAULT:
        return fact_at(project, here)
    return _read_elsewhere(project, candidate, name) if name.isidentifier() else None


def _read_elsewhere(project: Project, candidate: Candidate, name: str) -> Fact | None:
    from counterproof.analysis.facts import holds

    word = re.compile(rf"\b{re.escape(name)}\b")
    tried = 0
    for file in project.survey.files:
        if file.test or file.language is None or name not in project.text(file.path):
            continue
        for number, line in enumerate(project.text(file.path).split("\n"), 1):
            if (file.path, number) == (candidate.path, candidate.line) or not word.search(line[:2_000]):
                continue
            fact = Fact(at(file.path, number), Operation.READ, name)
            if holds(project, fact):
                return fact
            tried += 1
            if tried == MAX_TRIED:
                return None
    return None
