"""The sections shown to an agent of a plan verification: the plan, the code that each step touches, the repository (P18).

Invariant: the plan is shown in full; for each step follows the code that it names, as `path:line`, then the users of what it
changes or removes. All of that is shared: the same bytes in every task of a role. The plan, the repository, other agents'
challenges and the user's answers are data (X1, X3, X17), redacted before they become a piece.
"""

from collections.abc import Iterator

from counterproof.agents import tool_table
from counterproof.agents.context.pack import Room
from counterproof.agents.context.review import rules_in
from counterproof.agents.context.sections import Piece, Section, Shown, user_section
from counterproof.agents.context.tokens import tokens
from counterproof.agents.models import rendering
from counterproof.analysis.facts.named import around, definitions, uses
from counterproof.analysis.facts.units import Unit, units_of
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.review.around import conventions
from counterproof.analysis.secrets.redaction import redact
from counterproof.model.plan.contract import PlanRole, PlanTask
from counterproof.model.plan.outline import Intent, Mention, Named
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.plan_tools import PlanBench

AROUND_PLAN = 12_000
"""Tokens for the sections besides the plan."""
TASK_ROOM = 10_000
MAX_PLAN = 30_000
CHUNK = 60
"""Lines of the plan per piece."""
HEAD = 30
"""Lines shown of a file without a unit that the plan names."""
MAX_SYMBOLS = 60
MAX_USERS = 30
COMMON = 4
MAX_MAP = 2_500
MAX_CONVENTIONS = 1_200
_CLOSE = (Intent.REMOVES, Intent.CHANGES, Intent.RENAMES, Intent.MOVES)


def room_for(bench: PlanBench) -> Room:
    """Room for the whole plan, within a limit, and for its context."""
    return Room(min(MAX_PLAN, sum(tokens(piece.text) + 1 for piece in _plan(bench))) + AROUND_PLAN, TASK_ROOM)


def shared_sections(bench: PlanBench) -> tuple[Section, ...]:
    """The sections shared by all tasks on this plan."""

    def made() -> tuple[Section, ...]:
        return (
            *user_section(bench.user),
            Section("The plan, with the numbers of its lines:", Category.CONTEXT, _plan(bench), 100, shared=True),
            Section(
                "What the plan states that it does (everything else in it is prose, and yours to read):", Category.CONTEXT,
                tuple(_intents(bench)), 95, shared=True, none="nothing in an explicit form",
            ),
            Section(
                "The code that each step touches:", Category.CODE, tuple(_touched(bench)), 90, shared=True,
                none="no step names code of this repository", rest="`symbols` and `read` show it",
            ),
            Section(
                "Code that uses what the plan changes or removes:", Category.CODE, tuple(_users(bench)), 80, shared=True,
                rest="`callers` shows it",
            ),
            Section("The repository:", Category.SCOPE, _map(bench), 50, MAX_MAP, True, rest="`glob` lists files"),
            Section("The project's own rules:", Category.CODE, _conventions(bench), 40, MAX_CONVENTIONS, True),
        )  # fmt: skip

    return bench.project.once(f"plan pack {bench.outline.digest}", made)


def _plan(bench: PlanBench) -> tuple[Piece, ...]:
    lines = redact(bench.text).split("\n")
    numbered = [f"{number:>5}  {line}" for number, line in enumerate(lines, 1)]
    return tuple(Piece("\n".join(numbered[start : start + CHUNK]), -start) for start in range(0, len(numbered), CHUNK))


def _intents(bench: PlanBench) -> Iterator[Piece]:
    """The plan's intents, each with its line."""
    for each in bench.outline.intents:
        to, home = f" to `{redact(each.to)}`" if each.to else "", f" in {redact(each.home)}" if each.home else ""
        yield Piece(f"{_why(each)} ({each.kind.value}){to}{home}", -each.line)


def _touched(bench: PlanBench) -> Iterator[Piece]:
    """For each thing that a step names, its unit or the start of its file; each once."""
    shown: set[tuple[str, int]] = set()
    table = definitions(bench.project, _names(bench), tuple(bench.case.touched), tests=True)
    for each in bench.outline.named:
        for unit in _meant(bench, each, table):
            if (unit.path, unit.first) not in shown:
                shown.add((unit.path, unit.first))
                yield _piece(bench, unit, _why(each), value=3 if each.intent in _CLOSE else 2)
    for each in bench.case.of(Mention.FILE):
        path = bench.case.ground.resolve(each.text)
        if path and path != bench.own and not any(path == known for known, _ in shown):
            shown.add((path, 1))
            yield _outline(bench, path, _why(each))


def _names(bench: PlanBench) -> frozenset[str]:
    found = (each.short for each in bench.case.of(Mention.SYMBOL))
    return frozenset(list(dict.fromkeys(name for name in found if name.isidentifier()))[:MAX_SYMBOLS])


def _meant(bench: PlanBench, named: Named, table: dict[str, list[Unit]]) -> list[Unit]:
    """The units that a name in the plan can mean: those in files that it touches, otherwise all, if there are few."""
    if named.kind is not Mention.SYMBOL:
        return []
    found = table.get(named.short, [])
    close = [unit for unit in found if unit.path in bench.case.touched]
    return close or (found if len(found) < COMMON else [])


def _why(named: Named) -> str:
    step = f"step {named.step}" if named.step else "the plan"
    return f"{step} (plan:{named.line}) {named.intent.value} `{redact(named.text)}`"


def _piece(bench: PlanBench, unit: Unit, why: str, matter: tuple[int, ...] = (), value: int = 0) -> Piece:
    lines = bench.looking.excerpt(unit, matter, most=60)
    return Piece(f"{why}: {rendering.unit(lines)}", value, (Shown(unit.path, unit.first, unit.last),))


def _outline(bench: PlanBench, path: str, why: str) -> Piece:
    """The start of a file, and its definitions with their lines."""
    total = bench.project.files[path].lines if path in bench.project.files else 0
    head = bench.looking.excerpt(Unit(path, "", "", 1, max(1, min(HEAD, total))))
    names = ", ".join(f"{each.name} {each.first}-{each.last}" for each in units_of(bench.project, path)[:40])
    text = f"{why}: {rendering.unit(head)}" + (f"\n{path} defines: {names}" if names else "")
    return Piece(text, 1, (Shown(path, 1, min(HEAD, total)),))


def _users(bench: PlanBench) -> Iterator[Piece]:
    named = {each.short for each in bench.case.intents(Mention.SYMBOL) if each.intent in _CLOSE}
    found: dict[Unit, list[tuple[int, str]]] = {}
    for path, line, name in uses(bench.project, frozenset(named) & _names(bench)):
        found.setdefault(around(bench.project, path, line), []).append((line, name))
    for unit, places in list(found.items())[:MAX_USERS]:
        why = f"uses {', '.join(f'`{name}`' for name in dict.fromkeys(name for _, name in places))}"
        yield _piece(bench, unit, why, tuple(dict.fromkeys(line for line, _ in places)))


def _map(bench: PlanBench) -> tuple[Piece, ...]:
    """Folders with their files, those touched by the plan first; as many as fit."""
    folders: dict[str, list[str]] = {}
    for path in sorted(bench.project.files):
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    close = {path.rpartition("/")[0] for path in bench.case.touched}
    return tuple(
        Piece(f"{folder or '.'}/: {', '.join(names[:40])}{f' … and {len(names) - 40} more' if len(names) > 40 else ''}", value)
        for folder, names in folders.items()
        for value in (1000 - folder.count("/") if folder in close else -folder.count("/"),)
    )


def _conventions(bench: PlanBench) -> tuple[Piece, ...]:
    paths = conventions(bench.project, bench.case.touched)
    return tuple(piece for path in paths for piece in rules_in(path, bench.shown(path)))


def intro(task: PlanTask) -> tuple[str, ...]:
    """The task in our words."""
    mode = f", mode {task.mode.value}" if task.mode else ""
    lines = [
        f"You are {task.agent_id}, a {task.role.value}{mode}, in iteration {task.iteration} of at most 3.",
        "You are asked to mark the plan." if task.scoring else "You are asked for the result of your role.",
    ]
    if task.tightened:
        lines.append("More was raised than settled before: raise nothing new below BLOCKING.")
    if task.allowances:
        given = ", ".join(f"{each.tool} {each.calls}" for each in task.allowances)
        lines.append(f"Calls: {given}; {tool_table.counting(task.allowances)}.")
    return tuple(lines)


def task_sections(task: PlanTask, doubts: tuple[Doubt, ...]) -> tuple[Section, ...]:
    """The task's own sections besides the plan; empty ones are omitted."""
    raising = task.role not in (PlanRole.SYNTHESIZER, PlanRole.RESEARCHER) and not task.scoring
    rows = {
        "What analysis raised already:": [f"{each.claim}: {each.concern}" for each in doubts] if raising else [],
        "What you are sent out again for:": [f"{each}: {each.reason}" for each in task.directives],
        "Challenges:": [
            f"{each.id} {each.severity} {each.status}: {each.claim} | {each.concern} | {each.resolution}"
            for each in task.challenges
        ],
        "Also said on a challenge:": [
            f"{first} by {each.origin.value}: {each.claim} | {each.concern}" for first, each in task.merged
        ],
        "Research:": [f"{each.id} on {each.affects_challenge} {each.resolution}: {each.finding}" for each in task.unknowns],
        "Context:": [f"{each.id} {each.location} {each.impact.value}: {each.relevance}" for each in task.contexts],
        "Risks:": [f"{each.id} {each.severity}: {each.risk} when {each.trigger}" for each in task.risks],
        "The user's answers:": [f"{each.challenge_id}: {each.text}" for each in task.responses],
        "Marks of the synthesizer:": [f"{each.aspect.value} {each.points}: {each.evidence}" for each in task.card.marks]
        if task.card
        else [],
    }
    return tuple(
        Section(title, Category.CLAIMS, tuple(Piece(redact(line)) for line in lines), 90)
        for title, lines in rows.items()
        if lines
    )
