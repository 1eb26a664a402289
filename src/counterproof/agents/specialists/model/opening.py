"""What a model is shown of a task: our words, and the material in marked blocks, the same for the same task.

Always: text of the target stands only inside marked blocks (R5), without secrets and with hidden characters made visible (R6);
of other specialists' findings only checked fields are passed on (R9). What does not fit into a question goes into the next (R4).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.agents.models.parsing import END, START
from counterproof.agents.specialists.model.wire import schema_of
from counterproof.analysis.secrets.outgoing import safe_text
from counterproof.analysis.secrets.redaction import redact
from counterproof.analysis.text.hidden import visible
from counterproof.model.canonical import digest
from counterproof.model.review.contract import ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Defence, Position
from counterproof.model.review.scope import ScopeFile
from counterproof.protocols.guard.isolation import Category, opened, wrapped
from counterproof.protocols.guard.provenance import PREFIX
from counterproof.protocols.review.presets import BATCH
from counterproof.protocols.review.routing import whole
from counterproof.toolbox.review_bench import ReviewBench

MAX_SHOWN = 160_000
"""Characters of files in one question."""
MAX_BLOCK = 40_000
AROUND = 30
"""Unchanged lines that are shown on both sides of a change."""
WHOLE = 400
"""Files of so many lines are shown whole, changed or not."""

CRITIQUE = (
    "criticise your own findings. For each, look at its lines again and try to refute it: is there a guard, a caller or a type"
    " that rules it out, is the place right, is the severity earned? Hand in the findings that survive, mended where needed, and"
    " leave out the rest. Add what you overlooked only if you can show it"
)
"""What iteration 2 and later are for (R38)."""

_DOES = {
    Work.REFINE: "find problems in what is under review",
    Work.CHALLENGE: "take positions on findings of the other specialists",
    Work.DEFEND: "answer challenges of your own findings",
    Work.ADVOCATE: "challenge what a single specialist found; you have no vote",
}


@dataclass(frozen=True, slots=True)
class Opening:
    """The first message of a conversation, the marker that its answer must carry, and the files that it shows whole or as far as
    they changed."""

    text: str
    marker: str
    read: tuple[str, ...] = ()


def openings(task: ReviewTask, bench: ReviewBench) -> Iterator[Opening]:
    """One for each part of the scope; positions and defences need only one."""
    for number, part in enumerate(_parts(task, bench), 1):
        yield _opening(task, bench, part, number)


Part = list[tuple[str, str]]
"""Paths and rendered files of one question."""


def _parts(task: ReviewTask, bench: ReviewBench) -> list[Part]:
    """The files, rendered, in as many parts as it takes. For positions only the files that the findings speak of."""
    shown = (*_own(task), *task.shown)
    wanted = {each.location.path for each in shown} if task.work is not Work.REFINE else set(bench.view.files)
    parts: list[Part] = [[]]
    size = 0
    for path, file in bench.view.files.items():
        if path not in wanted:
            continue
        text = _file(bench, path, file)
        full = len(parts[-1]) >= BATCH or size + len(text) > MAX_SHOWN
        if full and parts[-1] and task.work is Work.REFINE:
            parts.append([])
            size = 0
        if size + len(text) <= MAX_SHOWN or not parts[-1]:
            parts[-1].append((path, text[:MAX_SHOWN]))
            size += len(text)
    return parts


def _file(bench: ReviewBench, path: str, file: ScopeFile) -> str:
    """Numbered lines, `+` before those under review."""
    lines = safe_text(bench.view.project, path).split("\n")
    rows = [f"{path}, {len(lines)} lines"]
    before = 0
    for number, line in enumerate(lines, 1):
        near = len(lines) <= WHOLE or any(
            low - AROUND <= number <= high + AROUND for low, high in file.changed or ((1, len(lines)),)
        )
        if not near:
            continue
        if number != before + 1:
            rows.append(f"… ({number - before - 1} lines)")
        before = number
        rows.append(f"{'+' if file.touches(number) else ' '}{number:>6}  {line[:500]}")
    return "\n".join(rows)


def _own(task: ReviewTask) -> tuple[ReviewFinding, ...]:
    """What the model itself found. The analysts' findings of its seat are never shown as its own (R38)."""
    return tuple(each for each in task.own if each.model)


def _opening(task: ReviewTask, bench: ReviewBench, files: Part, number: int) -> Opening:
    me = task.specialist
    doing = CRITIQUE if task.work is Work.REFINE and task.iteration > 1 and _own(task) else _DOES[task.work]
    last = ", the last: new challenges are not taken any more, and a position without a line is a retraction" if task.last else ""
    parts = [
        f"You are {task.agent_id}, the specialist {me.code} ({me.title}). Your task: {doing}.",
        f"Iteration {task.iteration}{last}.",
        f"Your domains: {', '.join(me.primary)}; beside them: {', '.join(me.adjacent) or 'none'}.",
        f"Domains of this review: {', '.join(bench.profile.domains)}.",
    ]
    if bench.profile.verdicts and task.work is Work.REFINE:
        parts.append("Give every document a verdict: Approve, Revise or Reject.")
    parts += [f"Take care: {each}" for each in task.warnings]
    seal = opened(task.id, number)
    for category, text in _matter(task, bench, [text for _, text in files]):
        seal, block = wrapped(seal, category, visible(text).text)
        parts.append(block)
    parts += [
        "The result is one JSON object that fits this schema, handed in as the whole of your reply:",
        schema_of(task, bench.profile),
        f"If your host only lets you answer in text, put the object between the lines {START} and {END}.",
    ]
    text = "\n".join(parts)
    marker = PREFIX + digest(f"{task.id}\n{task.attempt}\n{number}\n{text}")[:32]
    return Opening(
        f"{text}\n\nThe marker of this task is {marker}: put it into the field `marker`.",
        marker,
        tuple(path for path, _ in files),
    )


def _matter(task: ReviewTask, bench: ReviewBench, files: list[str]) -> Iterator[tuple[Category, str]]:
    for text in files:
        for start in range(0, len(text), MAX_BLOCK):
            yield Category.CODE, text[start : start + MAX_BLOCK]
    around = "\n".join(f"{each.relation} {each.at} of {each.symbol}" for each in bench.view.scope.neighbours[:100])
    if around and task.work is Work.REFINE:
        yield Category.CONTEXT, f"The impact graph: callers and callees around the change, not under review\n{around}"
    if _own(task):
        yield Category.CLAIMS, "Your own findings\n" + "\n\n".join(map(_passed_on, _own(task)))
    if task.lines:
        yield Category.CLAIMS, "A line of every finding of the others\n" + "\n".join(task.lines)
    if task.shown:
        yield Category.CLAIMS, "Findings that you may see whole\n" + "\n\n".join(map(_passed_on, task.shown))
    yield from _disputes(task)


def _disputes(task: ReviewTask) -> Iterator[tuple[Category, str]]:
    """Challenges that the model has to answer, or its own with the answers to them (R38)."""
    if task.work is Work.DEFEND:
        mine = {each.id for each in _own(task)}
        against = [_against(each) for each in task.against if each.finding_id in mine]
        if against:
            yield Category.CLAIMS, "Challenges of your findings\n" + "\n".join(against)
        return
    answers = {each.finding_id: each for each in task.defences}
    pairs = [f"{_against(each)}\n{_answer(answers[each.finding_id])}" for each in task.against if each.model]
    if pairs:
        said = "Your challenges, with the defence of each. One on which you take no position now is withdrawn"
        yield Category.CLAIMS, f"{said}\n" + "\n\n".join(pairs)


def _passed_on(finding: ReviewFinding) -> str:
    return redact(whole(finding))


def _against(position: Position) -> str:
    place = f" ({position.at})" if position.at else ""
    return redact(f"{position.finding_id} challenged by {position.specialist}{place}: {position.evidence}")


def _answer(defence: Defence) -> str:
    place = f" ({defence.at})" if defence.at else ""
    return redact(f"{defence.finding_id} defended{place}: {defence.text}")
