"""Questions about files that a plan creates although they exist.

Invariant: a file of one line is a placeholder. If most of the files that a plan creates exist, that is a single question.
"""

from collections.abc import Iterator

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention, Named


def existing_files(case: Case) -> Iterator[Doubt]:
    """Files to create that already exist: one question each, or one for all if most do."""
    files = case.ground.project.files
    changed = {each.text for each in case.intents(Mention.FILE) if each.intent is not Intent.CREATES}
    made = {
        each.text: each for each in reversed(case.intents(Mention.FILE)) if each.intent is Intent.CREATES and "/" in each.text
    }
    there = [each for path, each in made.items() if path in files and files[path].lines > 1 and path not in changed]
    there = sorted((each for each in there if case.ground.text(each.text) != case.text), key=lambda each: each.line)
    if there and len(there) > 1 and len(there) * 2 > len(made):
        told = f"{len(there)} of {len(made)} files that the plan creates are there. Was it carried out before?"
        yield _question(case, there[0], told, there)
        return
    for each in there:
        yield _question(
            case, each, f"It is there, with {counted(files[each.text].lines, 'line')}. Should it be changed, or replaced?", [each]
        )


def _question(case: Case, each: Named, concern: str, there: list[Named]) -> Doubt:
    return Doubt(
        Evidence.REPLACED,
        each.text,
        f"{case.where(each.line)} creates `{each.text}`",
        concern,
        "The step overwrites what the file holds",
        f"Say that `{each.text}` is changed and what is added, or name another path",
        lines=(each.line,),
        places=tuple(f"{one.text}:1" for one in there[:10]),
        reach=len(there),
    )
