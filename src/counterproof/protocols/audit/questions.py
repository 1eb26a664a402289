"""The tasks for a model's hunters (A61): the plain question, then a question about what it left; narrow tasks for large
programs.

The token count of the relevant source decides the form. Small: the source is included whole. Medium: the same questions, with
tools. Large: a queue of narrow tasks, one class of attack in one scope each, most exposed scope first.

Invariant: pure and deterministic; every hunt ends, because the remaining questions are asked once a round and a round has at
most `PER_HUNTER` tasks per hunter; a task's dimensions do not restrict its findings, only its coverage.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import TypeVar

from counterproof.model.contract import AgentTask, Ask, Limits, Role
from counterproof.model.dimension import Dimension, Track
from counterproof.model.location import Location, at
from counterproof.model.openitem import ItemKind, OpenItem
from counterproof.model.recon import EntryPoint, Guard, Recon
from counterproof.model.survey import FileRole, Survey
from counterproof.protocols.audit.modes import TINY_LOC
from counterproof.protocols.audit.plan import (
    FIRST_ROUND_TURNS,
    TOKENS_IN,
    TOKENS_OUT,
    USUAL_TURNS,
    agent_count,
    kind_of,
    tool_call_limit,
)
from counterproof.protocols.audit.request import USUAL_WINDOW, AuditRequest
from counterproof.protocols.audit.state import AuditState, Work, known

T = TypeVar("T")

SMALL = 60_000
MIDDLE = 250_000
BYTES_PER_TOKEN = 3
ENTRY_TOKENS = 40
"""The tokens of an entry point in the map."""
PER_HUNTER = 3
HUNT_PERCENT = 75
"""The share of the budget for hunting; the rest is for validation and the report."""
SCOPE = 500_000
"""The most source tokens in the scope of one narrow task; the agent reads part of them."""
MAX_ITEMS = 60
MAX_OF_A_KIND = 10
NEAR = 20
MAX_STATED = 80
MAX_LEFT = 2
MIN_LINES = 20
"""A file with fewer lines is not listed as an open component."""


class Shape(StrEnum):
    """The form of a hunt."""

    SMALL = "small"
    MIDDLE = "middle"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class Topic:
    """A class of attack, and the dimensions that a task about it covers."""

    name: str
    dimensions: tuple[Dimension, ...]


TOPICS = (
    Topic("authentication, sessions, tokens and secrets", (Dimension.D2, Dimension.D7)),
    Topic("authorization and business rules: compare siblings; two routes to the same operation should require the same right",
          (Dimension.D3, Dimension.D9)),
    Topic("what reaches files, archives, commands, queries, templates and deserialisers",
          (Dimension.D1, Dimension.D4, Dimension.D5)),
    Topic("outgoing requests, settings, dependencies and what reaches a browser", (Dimension.D6, Dimension.D8, Dimension.D10)),
)  # fmt: skip


def source_tokens(survey: Survey) -> int:
    """The approximate token count of the relevant source."""
    return sum(file.size for file in survey.files if file.language and not file.test) // BYTES_PER_TOKEN


def shape_of(survey: Survey, recon: Recon, window: int = USUAL_WINDOW) -> Shape:
    tokens = source_tokens(survey)
    if tokens <= min(SMALL, window // 2):
        return Shape.SMALL
    fits = ENTRY_TOKENS * len(recon.entry_points) <= window // 2
    return Shape.MIDDLE if tokens <= MIDDLE and fits else Shape.LARGE


def first_questions(state: AuditState, model: str) -> tuple[AgentTask, ...]:
    """Round 1 of a model: the plain question, or the queue of narrow tasks, in a different order for every hunt (A67)."""
    first = _one_hunt(state, model)
    hunts = range(1, known(state.request).hunts + 1)
    return tuple(
        _numbered(replace(task, hunt=hunt), number) for hunt in hunts for number, task in enumerate(in_order(first, hunt), 1)
    )


def in_order(things: Sequence[T], hunt: int) -> tuple[T, ...]:
    """The same items in the order of this hunt."""
    shift = len(things) * (hunt - 1) // hunt
    return (*things[shift:], *things[:shift])


def _one_hunt(state: AuditState, model: str) -> tuple[AgentTask, ...]:
    survey, recon, request = known(state.survey), known(state.recon), known(state.request)
    shape = shape_of(survey, recon, request.window)
    plain = _task(state, model, 1, Ask.PLAIN, request.only, whole=shape is Shape.SMALL)
    if shape is not Shape.LARGE:
        return (plain,)
    queue = _queue(state, model)
    return queue[: _affordable(request, len(queue))] or (plain,)


def _queue(state: AuditState, model: str) -> tuple[AgentTask, ...]:
    """The narrow tasks of a large program, most exposed scope first."""
    survey, only = known(state.survey), known(state.request).only
    narrow = [
        replace(_task(state, model, 1, Ask.NARROW, dimensions), topic=topic.name, scope=scope)
        for scope in _scopes(survey, known(state.recon))
        for topic in TOPICS
        if (dimensions := tuple(each for each in topic.dimensions if each in only))
    ]
    return tuple(narrow[: PER_HUNTER * agent_count(known(state.mode), survey.loc, len(narrow))])


def _affordable(request: AuditRequest, number: int) -> int:
    """How many of these tasks fit the budget of each hunt, with a reserve for validation and the report; at least one."""
    budget = request.terms.budget_tokens if request.terms else None
    if budget is None:
        return number
    each = USUAL_TURNS * (TOKENS_IN + TOKENS_OUT) * request.hunts
    return max(1, min(number, budget * HUNT_PERCENT // 100 // each))


def left_for_want_of_budget(state: AuditState, model: str) -> int:
    """The number of queued tasks per hunt that the budget excludes."""
    request = known(state.request)
    if shape_of(known(state.survey), known(state.recon), request.window) is not Shape.LARGE:
        return 0
    number = len(_queue(state, model))
    return number - _affordable(request, number)


def _numbered(task: AgentTask, number: int) -> AgentTask:
    hunt = f"-h{task.hunt}" if task.hunt > 1 else ""
    agent = f"{kind_of(task.model)}-r{task.round}{hunt}-{number:02}"
    return replace(task, id=f"{agent}/attempt-1", agent_id=agent)


def _task(
    state: AuditState, model: str, number: int, ask: Ask, dimensions: tuple[Dimension, ...], whole: bool = False
) -> AgentTask:
    survey = known(state.survey)
    agent = f"{kind_of(model)}-r1-{number:02}"
    return AgentTask(
        id=f"{agent}/attempt-1",
        agent_id=agent,
        role=Role.HUNTER,
        round=1,
        attempt=1,
        dimensions=dimensions,
        languages=tuple(language for language, _ in survey.languages()),
        limits=Limits(FIRST_ROUND_TURNS, tool_call_limit(survey.loc)),
        model=model,
        ask=ask,
        whole=whole,
    )


def _scopes(survey: Survey, recon: Recon) -> tuple[tuple[str, ...], ...]:
    """Parts of the tree for narrow tasks, by top folder, most exposed first; a single part if the whole tree fits one task."""
    if source_tokens(survey) <= SCOPE:
        return ((),)
    sizes = {file.path: file.size // BYTES_PER_TOKEN for file in survey.files if file.language and not file.test}
    doors = dict.fromkeys(sizes, 0)
    for entry in recon.entry_points:
        if entry.handler.path in doors:
            doors[entry.handler.path] += 1 + (entry.guard is not Guard.PRESENT)
    groups = _whole(_split(sorted(sizes), sizes, 1), sizes)
    return tuple(sorted(groups, key=lambda group: (-sum(doors[path] for path in group), group)))


def _whole(parts: list[tuple[str, ...]], sizes: dict[str, int]) -> list[tuple[str, ...]]:
    """Merge parts too small for a task into the smallest of the others."""
    ranked = sorted(parts, key=lambda part: (sum(sizes[path] for path in part), part))
    while len(ranked) > 1 and sum(sizes[path] for path in ranked[0]) < SCOPE // 10:
        ranked[1] = ranked[0] + ranked[1]
        del ranked[0]
    return ranked


def _split(paths: list[str], sizes: dict[str, int], depth: int) -> list[tuple[str, ...]]:
    """Split by folder until each part is small enough or indivisible; small neighbours are combined."""
    if sum(sizes[path] for path in paths) <= SCOPE or all(path.count("/") < depth for path in paths):
        return [tuple(paths)]
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault("/".join(path.split("/")[:-1][:depth]), []).append(path)
    parts = [part for folder in sorted(folders) for part in _split(folders[folder], sizes, depth + 1)]
    joined: list[tuple[str, ...]] = []
    for part in parts:
        size = sum(sizes[path] for path in part)
        if joined and sum(sizes[path] for path in joined[-1]) + size <= SCOPE:
            joined[-1] = (*joined[-1], *part)
        else:
            joined.append(part)
    return joined


def left_questions(state: AuditState) -> tuple[AgentTask, ...]:
    """After a model's first questions are answered: the items that none of its statements mentions, asked once (A61)."""
    if state.round != 1 or state.time_up or known(state.survey).loc < TINY_LOC:
        return ()
    return tuple(task for model, hunt in _hunters(state) for task in _left(state, model, hunt))


def _hunters(state: AuditState) -> tuple[tuple[str, int], ...]:
    """Models with their hunt whose first questions are completely answered, within budget, and that have not got the remaining
    questions."""
    done = [work for work in state.work if work.task.model and work.task.ask in (Ask.PLAIN, Ask.NARROW)]
    asked = {(task.model, task.hunt) for task in state.tasks if task.ask is Ask.LEFT}
    short = {work.task.model for work in done if work.reply is not None and work.reply.over_budget}
    hunts = {(work.task.model, work.task.hunt) for work in done if work.whole and work.task.model not in short}
    return tuple(sorted(hunts - asked))


def _left(state: AuditState, model: str, hunt: int) -> Iterator[AgentTask]:
    own = tuple(work for work in state.work if (work.task.model, work.task.hunt) == (model, hunt) and work.hunting)
    items = open_items(known(state.survey), known(state.recon), state.work, own)
    number = sum((task.model, task.hunt, task.role, task.round) == (model, hunt, Role.HUNTER, 1) for task in state.tasks)
    whole = shape_of(known(state.survey), known(state.recon), known(state.request).window) is Shape.SMALL
    places = sum(bool(item.dimensions) for item in items)  # components fill up the rest of a task
    tasks = 1 if whole else min(MAX_LEFT, max(1, -(-places // MAX_ITEMS)))
    for part in range(0, min(len(items), tasks * MAX_ITEMS), MAX_ITEMS):
        number += 1
        task = _task(state, model, number, Ask.LEFT, known(state.request).only, whole)
        task = _numbered(replace(task, hunt=hunt), number)
        yield replace(task, open_items=items[part : part + MAX_ITEMS], stated=stated(own))


def stated(work: Iterable[Work]) -> tuple[str, ...]:
    """The findings so far, one line each."""
    found = {f"CWE-{each.cwe} at {each.location}": each for part in work for each in part.kept}
    ranked = sorted(found, key=lambda line: (-found[line].severity.rank, line))
    return tuple(ranked[:MAX_STATED])


def open_items(survey: Survey, recon: Recon, work: tuple[Work, ...], own: tuple[Work, ...]) -> tuple[OpenItem, ...]:
    """Entry points, settings and components that none of these statements mentions, most exposed first."""
    named = frozenset(place for each in own for place in _named(each))
    entries = _open_entries(recon, named)
    settings = _open_settings(work, named)
    components = _open_components(survey, recon, own, {item.at.path for item in (*entries, *settings)})
    return (*entries, *settings, *components)


def _named(work: Work) -> Iterator[tuple[str, int]]:
    """Every line that a reply mentions."""
    if work.reply is None:
        return
    for finding in work.kept:
        yield from ((finding.location.path, line) for line in range(finding.location.start, finding.location.end + 1))
        yield from ((step.location.path, step.location.start) for step in (finding.flow.steps if finding.flow else ()))
    yield from ((each.file, each.line) for each in work.reply.false_positives)
    yield from ((each.at.path, each.at.start) for each in work.reply.answers)


def _open_entries(recon: Recon, named: frozenset[tuple[str, int]]) -> tuple[OpenItem, ...]:
    """A handler extends from its first line to the next handler in its file."""
    by_file: dict[str, list[Location]] = {}
    for place in sorted({each.handler for each in recon.entry_points}):
        by_file.setdefault(place.path, []).append(place)
    ends = {
        one: two.start
        for places in by_file.values()
        for one, two in pairwise((*places, at(places[-1].path, places[-1].start + 200)))
    }
    control = tuple(each for each in Dimension if each.track is Track.CONTROL)
    found: dict[Location, OpenItem] = {}
    for each in sorted(recon.entry_points, key=_exposure):
        lines = range(each.handler.start, max(ends[each.handler], each.handler.end + 1))
        if each.handler not in found and not any((each.handler.path, line) in named for line in lines):
            what = " ".join(part for part in (each.kind.value, each.method, each.path, each.name) if part)
            found[each.handler] = OpenItem(f"E{len(found) + 1}", ItemKind.ENTRY, each.handler, control, what)
    return tuple(found.values())


def _exposure(entry: EntryPoint) -> tuple[int, bool, Location]:
    rank = {Guard.ABSENT: 0, Guard.UNKNOWN: 1, Guard.PRESENT: 2}
    return rank[entry.guard], entry.method.upper() in ("GET", "HEAD", ""), entry.handler


def _open_settings(work: tuple[Work, ...], named: frozenset[tuple[str, int]]) -> tuple[OpenItem, ...]:
    """Recorded security settings of the config-driven dimensions (A16, A63), a few of each kind, one of neighbouring lines."""
    found: dict[Location, OpenItem] = {}
    kinds = Counter[str]()
    spots: set[tuple[str, str, int]] = set()
    for item in (item for each in work for item in each.ledger.items):
        place = item.location
        spot = (item.kind, place.path, place.start // NEAR)
        if spot not in spots and (place.path, place.start) not in named and kinds[item.kind] < MAX_OF_A_KIND:
            spots.add(spot)
            kinds[item.kind] += 1
            found[place] = OpenItem(f"S{len(found) + 1}", ItemKind.SETTING, place, (item.dimension,), item.kind)
    return tuple(found.values())


def _open_components(survey: Survey, recon: Recon, own: tuple[Work, ...], there: set[str]) -> tuple[OpenItem, ...]:
    """Relevant files that this work neither read nor mentioned."""
    read = {path for each in own for path in each.ledger.files_read()} | there
    files = {file.path: file for file in survey.files if file.language and file.role is FileRole.RUNTIME}
    largest = sorted(files, key=lambda path: (-files[path].loc, path))
    wanted = dict.fromkeys((*(path for path in recon.p0_files if path in files), *largest))
    left = [path for path in wanted if path not in read and files[path].loc >= MIN_LINES and not _restates(path)]
    return tuple(OpenItem(f"C{number}", ItemKind.COMPONENT, at(path, 1), (), path) for number, path in enumerate(left, 1))


def _restates(path: str) -> bool:
    """True for migrations, which restate the models, and declaration files, which restate the code."""
    return "/migrations/" in f"/{path}" or path.endswith(".d.ts")
