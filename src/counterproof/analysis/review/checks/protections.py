"""Claims about removed protections inside functions, with the commit that added them and the code that keeps them (R47)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from counterproof.analysis.project import SCRIPTS
from counterproof.analysis.review.checks.losses import Loss, Names
from counterproof.analysis.review.checks.lost_awaits import find_lost_awaits
from counterproof.analysis.review.checks.lost_checks import find_lost_checks
from counterproof.analysis.review.checks.lost_filters import find_lost_filters
from counterproof.analysis.review.checks.versions import CODE, change_of, place_of
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.mending_commits import Reason, reasons
from counterproof.model.survey import Language

MAX_SIBLINGS = 5
_NAMES_ONLY = re.compile(r"\s*(?:from|import|export|(?:async\s+)?def|(?:async\s+)?function|class)\b")


def find_removed_protections(view: View) -> Iterator[Claim]:
    """One claim for each removed protection; computed once for all specialists."""
    yield from view.project.once("review protections", lambda: tuple(_claims(view)))


def _claims(view: View) -> Iterator[Claim]:
    change = change_of(view)
    if not any(file.edits for file in change):
        return
    for file in change:
        if file.path not in view.older.files or view.project.files[file.path].language not in (Language.PYTHON, *SCRIPTS):
            continue
        names = Names(view.older, file.path)
        for edit in file.edits:
            view.project.checkpoint()
            checks = (find_lost_checks(edit, file, change, names), find_lost_filters(edit, change, names))
            for loss in chain(*checks, find_lost_awaits(edit, change)):
                yield _claim(view, file.path, loss)


def _claim(view: View, path: str, loss: Loss) -> Claim:
    place = place_of(view, path, loss.line)
    (found,) = reasons(view, (place,))
    added = f", added by commit {found.commit}" if found.reason is Reason.FIXED else ""
    siblings = _siblings(view, path, loss)
    kept = f" It is kept at {', '.join(siblings)}." if siblings else ""
    made = Claim(
        kind=loss.kind,
        domain=loss.domain,
        title=f"{loss.title}{added}"[:200],
        severity=loss.severity,
        at=place,
        why=f"{loss.why}{kept}",
        fix="Bring it back, or say in the change what protects this now.",
    )
    return replace(made, chain=f"{place} -> {siblings[0]}") if siblings else made


def _siblings(view: View, path: str, loss: Loss) -> list[str]:
    """Other code that keeps the same protection, in the same file first."""
    wanted = "".join(loss.symbol.split())
    word = max(re.findall(r"\w+", loss.symbol), key=len, default="")
    found: list[tuple[bool, str, int]] = []
    code = [file.path for file in view.project.survey.files if file.language in CODE and not file.test]
    for name in (each for each in code if len(word) > 3 and word in view.project.text(each)):
        for number, line in enumerate(view.project.text(name).split("\n"), 1):
            used = word in line and wanted in "".join(line.split()) and not _NAMES_ONLY.match(line)
            if used and not view.touches(name, number, number):
                found.append((name != path, name, number))
    return [f"{name}:{number}" for _, name, number in sorted(found)[:MAX_SIBLINGS]]
