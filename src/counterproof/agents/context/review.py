"""The sections shown to a specialist of a review: the change with its old lines, its intent, and the code around it (R42).

Invariant: the change is shown in full, in as many parts as necessary; the surrounding code is selected by value within the
room, and tools show the rest. Everything about the change is shared: the same bytes in every iteration of a specialist, so
that it can be cached. Only checked fields of other specialists' findings are shown (R9); the analysts' findings are never
shown as the model's own (R38). Text from the target is redacted before it becomes a piece.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from counterproof.agents.context.pack import Room
from counterproof.agents.context.sections import Piece, Section, Shown
from counterproof.agents.context.tokens import tokens
from counterproof.agents.models import rendering
from counterproof.analysis.facts.named import around as unit_around
from counterproof.analysis.review import around
from counterproof.analysis.review.around import Excerpt
from counterproof.analysis.review.unified import Hunk, Row, hunks
from counterproof.analysis.secrets.outgoing_text import safe_text
from counterproof.analysis.secrets.redaction import redact
from counterproof.model.location import Location
from counterproof.model.review.contract import ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Defence, Position
from counterproof.protocols.guard.injection import addresses_model
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.review.routing import whole
from counterproof.toolbox.review_bench import ReviewBench

MAX_HUNK, MAX_PIECE = 160, 1_200
"""The most rows and tokens of one piece of the diff; a longer hunk becomes several pieces."""
WIDEST = (120, 40, 1)
"""The longest units shown in full around a change, in lines: the first of these limits at which the change still fits."""
SHARES = 12
"""The number of questions that a specialist's budget share should cover: two refinements, positions, a defence, tool calls."""
LEAST, MOST = 4_000, 30_000
TASK_ROOM = 8_000
HOST_ROOM = 12_000
"""For a coding agent, which pays for its own tokens: our budget does not limit its reading, but it reads a task page by page."""
MAX_CONVENTIONS = 1_500
MAX_INTENT = 1_200
MAX_MESSAGE = 2_400
BESIDE = 1_500
"""The tokens of every question besides the change: its intent, and the frames of the sections."""
PARAGRAPHS = 4


def room_of(total: int | None, specialists: int) -> Room:
    """The room for a pack, from the tokens of the whole run; None means no limit."""
    shared = MOST if total is None else max(LEAST, min(MOST, total // max(1, specialists) // SHARES))
    return Room(shared, TASK_ROOM)


@dataclass(frozen=True, slots=True)
class Part:
    """The part of the scope shown in one question: pieces of the diff, with their files."""

    pieces: tuple[Piece, ...]

    @property
    def tokens(self) -> int:
        return _size(self.pieces)

    def holds(self, place: Location) -> bool:
        return any(
            each.path == place.path and each.first <= place.start <= each.last for piece in self.pieces for each in piece.shows
        )


def stretched(room: Room, parts: tuple[Part, ...]) -> Room:
    """The room for a question with these parts, with some space for the change's intent, however large the parts are."""
    return Room(max(room.shared, sum(part.tokens for part in parts) + BESIDE), room.task)


def parts_of(bench: ReviewBench, room: Room) -> tuple[Part, ...]:
    """The complete change in as few parts as possible: one question of twice the length costs less than two, because each
    repeats the instructions. Less surrounding code is shown if tool calls would have to pay for more."""
    parts: list[Part] = []
    current: list[Piece] = []
    used = 0
    wide = (_changed(bench, widest) for widest in WIDEST[:-1])
    pieces = next((found for found in wide if _size(found) <= room.shared * 5 // 4), _changed(bench, WIDEST[-1]))
    most = room.shared * 2 if _size(pieces) <= room.shared * 2 else room.shared
    for piece in pieces:
        cost = tokens(piece.text) + 1
        if current and used + cost > most:
            parts.append(Part(tuple(current)))
            current, used = [], 0
        current.append(piece)
        used += cost
    return (*parts, Part(tuple(current))) if current else tuple(parts)


def _size(pieces: tuple[Piece, ...]) -> int:
    return sum(tokens(piece.text) + 1 for piece in pieces)


def _changed(bench: ReviewBench, widest: int = WIDEST[0]) -> tuple[Piece, ...]:
    """The diff of every file in scope, piece by piece."""
    view = bench.view

    def made() -> tuple[Piece, ...]:
        return tuple(piece for path in view.files for piece in _of_file(bench, path, widest))

    return view.project.once(f"review pack: the change {widest}", made)


def _of_file(bench: ReviewBench, path: str, widest: int) -> Iterator[Piece]:
    view = bench.view
    before = view.before.get(path)
    kind = "changed" if before is not None else "new, or reviewed whole"
    head = f"=== {path} ({kind}, {view.project.files[path].lines} lines)"
    for hunk in hunks(view.project, view.older, path, before, widest):
        for piece in _divided(hunk):
            yield Piece(f"{head}\n{piece.text}", shows=(Shown(path, piece.first, piece.last),))
            head = f"=== {path}"


def _divided(hunk: Hunk) -> Iterator[Hunk]:
    """Pieces within these limits of rows and tokens, so that the smallest window can hold one."""
    start = size = 0
    for end, row in enumerate(hunk.rows):
        cost = tokens(str(row)) + 1
        if end - start == MAX_HUNK or (end > start and size + cost > MAX_PIECE):
            yield _stretch(hunk, hunk.rows[start:end])
            start, size = end, 0
        size += cost
    yield _stretch(hunk, hunk.rows[start:])


def _stretch(hunk: Hunk, rows: tuple[Row, ...]) -> Hunk:
    numbers = [row.number for row in rows if row.sign != "-"] or [hunk.first]
    return replace(hunk, first=numbers[0], last=numbers[-1], rows=rows)


def shared_sections(bench: ReviewBench, part: Part) -> tuple[Section, ...]:
    """The sections shared by all tasks on this part of the scope. Titles are ours."""
    view = bench.view
    code = not bench.profile.verdicts
    diff = (
        "The change, as a unified diff whose hunks are widened to whole functions. `+` lines are new and `-` lines are gone; the "
        "number is the line's in the new text, for `-` lines in the old one. `+` and `-` lines are under review:"
    )
    if not any(view.before.get(path) is not None for path in view.files):
        diff = "The files under review, whole, with the numbers of their lines; every line is marked `+`:"
    documents = "The documents under review, with the numbers of their lines:"
    found = [
        Section("What its authors say that it is for:", Category.HISTORY, _intent(bench), 110, MAX_INTENT, True),
        Section(diff if code else documents, Category.CODE, part.pieces, 100, shared=True),
    ]
    if code:
        found += view.project.once("review pack: around", lambda: tuple(_around(bench)))
    found.append(
        Section("How this project wants its code written:", Category.CODE, _conventions(bench), 40, MAX_CONVENTIONS, True)
    )
    return tuple(found)


def _around(bench: ReviewBench) -> Iterator[Section]:
    view = bench.view
    rows = (
        ("Code that calls what changed (context, not under review):", around.callers(view), 90, "`callers` shows them"),
        ("Code that the change calls (context, not under review):", around.callees(view), 80, "`symbols` shows them"),
        ("Tests of what changed:", around.tests(view), 60, "`callers` and `read` show them"),
    )
    for title, found, value, rest in rows:
        yield Section(title, Category.CODE, tuple(_excerpts(bench, found)), value, shared=True, rest=rest)


def _excerpts(bench: ReviewBench, found: Iterable[Excerpt]) -> Iterator[Piece]:
    for each in found:
        lines = bench.looking.excerpt(each.unit, each.lines, most=40)
        text = f"{each.why}: {rendering.unit(lines)}"
        yield Piece(text, shows=(Shown(each.unit.path, lines.lines[0].number, lines.lines[-1].number),) if lines.lines else ())


def _intent(bench: ReviewBench) -> tuple[Piece, ...]:
    return tuple(Piece(redact(each)[:MAX_MESSAGE]) for each in bench.view.intent)


def _conventions(bench: ReviewBench) -> tuple[Piece, ...]:
    project = bench.view.project
    paths = around.conventions(project, bench.view.files)
    return tuple(piece for path in paths for piece in rules_in(path, safe_text(project, path)))


def rules_in(path: str, text: str) -> Iterator[Piece]:
    """A document in pieces of a few paragraphs, the beginning ranked highest; text that addresses a model is left out (X3)."""
    kept = [part.strip("\n") for part in text.split("\n\n") if part.strip() and not addresses_model(part)]
    for start in range(0, len(kept), PARAGRAPHS):
        said = "\n\n".join(kept[start : start + PARAGRAPHS])[:3_000]
        if not addresses_model(said):
            yield Piece(f"{path}:\n{said}", -start)


def task_sections(task: ReviewTask, bench: ReviewBench, parts: tuple[Part, ...]) -> tuple[Section, ...]:
    """The task's own sections. `parts` of the change are shown in the same question; other code that the findings refer to is
    shown here, in its new version."""
    mine = own(task)
    places = [each.location for each in (*mine, *task.shown)]
    unseen = [place for place in dict.fromkeys(places) if not any(part.holds(place) for part in parts)]
    rows = (
        ("Your own findings, as the program keeps them:", [_passed_on(each) for each in mine], 100),
        ("What the program made of your last result:", list(task.answers), 95),
        ("A line of every finding of the others:", list(task.lines), 90),
        ("Findings that you may see whole:", [_passed_on(each) for each in task.shown], 100),
        *((title, lines, 95) for title, lines in _disputes(task)),
    )
    claims = [
        Section(title, Category.CLAIMS, tuple(Piece(line) for line in lines), value) for title, lines, value in rows if lines
    ]
    code = Section("The code of these findings:", Category.CODE, tuple(dict.fromkeys(_at(bench, each) for each in unseen)), 98)
    return (code, *claims)


def _at(bench: ReviewBench, place: Location) -> Piece:
    project = bench.view.project
    if place.path not in project.files:
        return Piece(f"{place}: there is no such file")
    changed = next((piece for piece in _changed(bench) if Part((piece,)).holds(place)), None)
    if changed is not None:
        return changed
    lines = bench.looking.excerpt(unit_around(project, place.path, place.start, 15), (place.start,))
    return Piece(rendering.unit(lines), shows=(Shown(place.path, lines.first, lines.last),))


def opened(bench: ReviewBench, finding: ReviewFinding) -> str:
    """Another specialist's finding with the code at its location."""
    return f"{_passed_on(finding)}\n\n{_at(bench, finding.location).text}"


def own(task: ReviewTask) -> tuple[ReviewFinding, ...]:
    """The model's own findings. Those of its seat's analysts are never shown as its own (R38)."""
    return tuple(each for each in task.own if each.model)


def _disputes(task: ReviewTask) -> Iterator[tuple[str, list[str]]]:
    """Challenges that the model has to answer, or its own challenges with the answers (R38)."""
    if task.work is Work.DEFEND:
        mine = {each.id for each in own(task)}
        yield "Challenges of your findings:", [_against(each) for each in task.against if each.finding_id in mine]
        return
    answers = {each.finding_id: each for each in task.defences}
    said = "Your challenges, with the defence of each. One on which you take no position now is withdrawn:"
    yield said, [f"{_against(each)}\n{_answer(answers[each.finding_id])}" for each in task.against if each.model]


def _passed_on(finding: ReviewFinding) -> str:
    return redact(whole(finding))


def _against(position: Position) -> str:
    place = f" ({position.at})" if position.at else ""
    return redact(f"{position.finding_id} challenged by {position.specialist}{place}: {position.evidence}")


def _answer(defence: Defence) -> str:
    place = f" ({defence.at})" if defence.at else ""
    return redact(f"{defence.finding_id} defended{place}: {defence.text}")
