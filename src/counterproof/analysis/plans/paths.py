"""Doubts about the files that a plan works on: to change, remove or move, but not there (P21), or to create, and there already.

Invariant: only an intent counts, never a mention. A missing file that a commit removed or renamed is reported with that commit.
If the plan refers to another plan, it is a question: that plan may create the file. A file of one line is a placeholder.
"""

from collections.abc import Iterator

from counterproof.analysis.git import Departed
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention, Named

MANY = 3
"""From this many missing files in a plan without any existing one, they are one doubt."""
_NOTHING = "The step has nothing to work on"


def missing_paths(case: Case) -> Iterator[Doubt]:
    """One doubt per missing file, or one for all if the plan seems to be for another repository."""
    wanted = [each for each in case.intents(Mention.FILE) if each.intent not in (Intent.CREATES, Intent.KEEPS)]
    absent = {each.text: each for each in reversed(wanted) if _is_absent(case, each)}
    departed = case.ground.departed(tuple(reversed(absent)))
    here = any(case.ground.resolve(each.text) for each in wanted)
    rest = [each for path, each in reversed(absent.items()) if path not in departed]
    for path, gone in departed.items():
        if not gone.now or not case.names(gone.now):
            yield _departed(case, absent[path], gone)
    if len(rest) >= MANY and not here:
        concern = f"None of the {len(rest)} files that the plan changes is there. Is it for another repository?"
        yield _missing(case, rest, concern, "Verify the plan with the repository that it is for (`--repo`)")
        return
    for each in rest:
        near, other = case.ground.nearest_file(each.text), case.other_plan
        hint = f"; `{near}` comes closest" if near else ""
        asked = f". Does `{other}`, which the plan refers to, make it?" if other else ""
        instead = f"Name `{near}` if it was meant, or add the step that creates `{each.text}`" if near else ""
        concern = f"No file has this path, and no step makes it{hint}{asked}"
        yield _missing(case, [each], concern, instead or "Name the file that was meant, or create it")


def _is_absent(case: Case, each: Named) -> bool:
    return not (case.ground.exists(each.text) or case.makes_file(each.text))


def _missing(case: Case, absent: list[Named], concern: str, instead: str) -> Doubt:
    first = absent[0]
    return Doubt(
        Evidence.OTHER_PLAN if case.other_plan else Evidence.ABSENT_PATH,
        first.text,
        f"{case.where(first.line)} {first.intent.value} `{first.text}`",
        concern,
        _NOTHING,
        instead,
        lines=tuple(each.line for each in absent[:10]),
        search=tuple(each.text for each in absent[:10]),
    )


def _departed(case: Case, each: Named, gone: Departed) -> Doubt:
    now = gone.now if gone.now in case.ground.project.files else ""
    deed = f"renamed it to `{gone.now}`" if gone.now else "removed it"
    return Doubt(
        Evidence.DEPARTED,
        each.text,
        f"{case.where(each.line)} {each.intent.value} `{each.text}`",
        f"No file has this path: commit {gone.commit.id[:10]} of {gone.commit.date[:10]} {deed} ({gone.commit.subject[:100]})",
        _NOTHING,
        f"Name `{now}`" if now else "Name the file that took its place, or create it",
        lines=(each.line,),
        places=(*((f"{now}:1",) if now else ()), gone.commit.id),
        search=(each.text,),
    )


def existing_files(case: Case) -> Iterator[Doubt]:
    """Files to create that already exist: one question each, or one for all if most do."""
    files = case.ground.project.files
    changed = {each.text for each in case.intents(Mention.FILE) if each.intent is not Intent.CREATES}
    made = {
        each.text: each for each in reversed(case.intents(Mention.FILE)) if each.intent is Intent.CREATES and "/" in each.text
    }
    there = [each for path, each in made.items() if path in files and files[path].lines > 1 and path not in changed]
    there = sorted((each for each in there if case.ground.text(each.text) != case.text), key=lambda each: each.line)
    if len(there) > 1 and len(there) * 2 > len(made):
        yield _existing(
            case, there, f"{len(there)} of {len(made)} files that the plan creates already exist. Was it implemented before?"
        )
        return
    for each in there:
        lines = counted(files[each.text].lines, "line")
        yield _existing(case, [each], f"It is there, with {lines}. Should it be changed, or replaced?")


def _existing(case: Case, there: list[Named], concern: str) -> Doubt:
    first = there[0]
    return Doubt(
        Evidence.REPLACED,
        first.text,
        f"{case.where(first.line)} creates `{first.text}`",
        concern,
        "The step overwrites what the file holds",
        f"Say that `{first.text}` is changed and what is added, or name another path",
        lines=(first.line,),
        places=tuple(f"{one.text}:1" for one in there[:10]),
        reach=len(there),
    )
