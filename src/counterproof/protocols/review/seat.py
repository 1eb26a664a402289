"""A specialist's seat: its analysts and the model that plays it (R36, R38, R39).

Invariant: neither speaks for the other. The analysts' findings come first and are kept whatever the model does; the model's
output is kept under its own name. Statements of one about the other's findings or challenges are ignored.
"""

from dataclasses import replace

from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.protocols.review.duplicates import same
from counterproof.protocols.review.events import ReplyTaken


def joined(task: ReviewTask, event: ReplyTaken) -> ReplyTaken:
    """Combine both replies into one with renumbered findings; rejections follow the new numbers."""
    if event.beside is None:
        return event
    model, analysts = event.reply, event.beside
    findings = list(analysts.findings)
    numbers: dict[str, str] = {}
    for each in model.findings:
        if not any(same(each, other) for other in analysts.findings):
            numbers[each.id] = f"{task.specialist.code}-{len(findings) + 1:03}"
            findings.append(each)
    reply = ReviewReply(
        task.agent_id,
        findings=_numbered(task, findings),
        no_findings=task.work is Work.REFINE and not findings,
        checked_twice=not findings and model.checked_twice,
        positions=analysts.positions + model.positions,
        opened=tuple(dict.fromkeys((*analysts.opened, *model.opened))),
        defences=analysts.defences + model.defences,
        notes=tuple(dict.fromkeys((*analysts.notes, *model.notes))),
        read=model.read,
    )
    refused = tuple((numbers[name], why) for name, why in event.refused if name in numbers)
    return replace(event, reply=reply, refused=refused)


def without_model(task: ReviewTask, analysts: ReviewReply, kept: tuple[ReviewFinding, ...]) -> ReviewReply:
    """The analysts' reply, with the model's findings from before its budget ended."""
    fresh = [each for each in kept if not any(same(each, other) for other in analysts.findings)]
    findings = _numbered(task, [*analysts.findings, *fresh])
    return replace(analysts, findings=findings, no_findings=task.work is Work.REFINE and not findings)


def _numbered(task: ReviewTask, findings: list[ReviewFinding]) -> tuple[ReviewFinding, ...]:
    return tuple(replace(each, id=f"{task.specialist.code}-{number:03}") for number, each in enumerate(findings, 1))
