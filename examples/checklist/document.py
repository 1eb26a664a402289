"""What a reader gets: how many answers are yes, and each with its evidence. How it looks is the writers' affair."""

from counterproof.reports.screen import Part, headed
from counterproof.reports.sections.blocks import Document, Section, Table, code, own, text

from .protocol import Report, Row

_TONES = {"yes": "good", "no": "poor", "unanswered": "fair"}


def document(report: Report) -> Document:
    counts = {word: sum(row.word == word for row in report.rows) for word in _TONES}
    rows = tuple((own(row.question.id), text(row.question.text), own(row.word), code(evidence(row))) for row in report.rows)
    return Document(
        kind="checklist",
        about="Checklist of ",
        target=report.target,
        facts=(f"{len(report.rows)} questions",),
        result=f"{counts['yes']} of {len(report.rows)} yes",
        tone=next(_TONES[word] for word in ("unanswered", "no", "yes") if counts[word] or word == "yes"),
        said=(),
        counts=(("high", "No", counts["no"]), ("low", "Unanswered", counts["unanswered"]), ("info", "Yes", counts["yes"])),
        notices=(),
        sections=(Section("findings", "Answers", (Table(("Id", "Question", "Answer", "Evidence"), rows),)),),
        summary=(Part(tuple(headed("ANSWERS", f"{counts['yes']} of {len(report.rows)} yes"))),),
    )


def evidence(row: Row) -> str:
    if row.failed:
        return row.failed
    return f"{row.path}:{row.line}: {row.quote.strip()}" if row.holds else f"no line of {row.searched} files fits {row.question.pattern}"


def explain(row: Row) -> str:
    return f"{row.question.id} {row.question.text}\n{row.word}: {evidence(row)}\n"
