"""Doubts about files that a plan changes, removes or moves, and that neither exist nor are created by a step (P21).

Invariant: only an intent counts, never a mention. A file that a commit removed or renamed is reported with that commit. If the
plan refers to another plan, it is a question, because that plan may create the file.
"""

from collections.abc import Iterator

from counterproof.analysis.git import Departed
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.model.plan.outline import Intent, Mention, Named

MANY = 3
"""From this many missing files in a plan without any existing one, they are one doubt."""


def missing_paths(case: Case) -> Iterator[Doubt]:
    """One doubt per missing file, or one for all if the plan seems to be for another repository."""
    wanted = [each for each in case.intents(Mention.FILE) if each.intent not in (Intent.CREATES, Intent.KEEPS)]
    absent = {each.text: each for each in reversed(wanted) if _is_absent(case, each)}
    departed = case.ground.departed(tuple(reversed(absent)))
    here = any(case.ground.resolve(each.text) for each in wanted)
    rest = {path: each for path, each in reversed(absent.items()) if path not in departed}
    for path, gone in departed.items():
        if not gone.now or not case.names(gone.now):
            yield _departed(case, absent[path], gone)
    if len(rest) >= MANY and not here:
        yield _none_of(case, list(rest.values()))
        return
    yield from (_missing(case, each) for each in rest.values())


def _is_absent(case: Case, each: Named) -> bool:
    return not (case.ground.exists(each.text) or case.makes_file(each.text))


def _missing(case: Case, each: Named) -> Doubt:
    near = case.ground.nearest_file(each.text)
    other = case.other_plan
    asked = f"Does `{other}`, which the plan refers to, make it?" if other else ""
    hint = f"; `{near}` comes closest" if near else ""
    return Doubt(
        Evidence.OTHER_PLAN if other else Evidence.ABSENT_PATH,
        each.text,
        f"{case.where(each.line)} {each.intent.value} `{each.text}`",
        f"No file has this path, and no step makes it{hint}. {asked}".strip().rstrip("." if not other else ""),
        "The step has nothing to work on",
        f"Name `{near}` if it was meant, or add the step that creates `{each.text}`"
        if near
        else "Name the file that was meant, or create it",
        lines=(each.line,),
        search=(each.text,),
    )


def _none_of(case: Case, absent: list[Named]) -> Doubt:
    first = absent[0]
    return Doubt(
        Evidence.OTHER_PLAN if case.other_plan else Evidence.ABSENT_PATH,
        first.text,
        f"{case.where(first.line)} {first.intent.value} `{first.text}`",
        f"None of the {len(absent)} files that the plan changes is there. Is it for another repository?",
        "No step has anything to work on",
        "Verify the plan with the repository that it is for (`--repo`)",
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
        "The step has nothing to work on",
        f"Name `{now}`" if now else "Name the file that took its place, or create it",
        lines=(each.line,),
        places=(*((f"{now}:1",) if now else ()), gone.commit.id),
        search=(each.text,),
    )
