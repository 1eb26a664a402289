"""Checks of documents: designs, plans and proposals. Each looks for what a reader will ask and the text does not answer.

Always: a claim names the line that raises the question, and quotes it. That a document is silent is said once, at its first line.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review import statements
from counterproof.analysis.review.claims import Check, Claim, View
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

MAX_EACH = 5
MIN_WORDS = 80
"""Shorter notes are not expected to answer everything."""

_OPEN = re.compile(r"\b(?:TBD|TODO|FIXME|to be (?:decided|defined|determined)|\?\?\?)", re.IGNORECASE)
_VAGUE = re.compile(
    r"\b(?:should|must|will|needs? to) be (?:very |more )?(fast|scalable|performant|user[- ]friendly|robust|secure|reliable)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")


def _document(view: View, path: str) -> list[str]:
    return view.project.text(path).split("\n")


def _raised(view: View, pattern: re.Pattern[str], skip: re.Pattern[str] | None = None) -> Iterator[tuple[str, int, str]]:
    """Lines that match, with the words; code blocks are left out."""
    for path in view.files:
        fenced, count = False, 0
        for number, line in enumerate(_document(view, path), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            found = None if fenced else pattern.search(line[:2_000])
            if found and not (skip and skip.search(line)) and view.touches(path, number, number) and count < MAX_EACH:
                count += 1
                yield path, number, found[0]


def _silent(view: View, raises: re.Pattern[str], answers: re.Pattern[str]) -> Iterator[tuple[str, int, str]]:
    """Documents that raise a question somewhere and answer it nowhere: the first line that raises it."""
    for path in view.files:
        text = view.project.text(path)
        if len(text.split()) < MIN_WORDS or answers.search(text):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            found = raises.search(line[:2_000])
            if found and view.touches(path, number, number):
                yield path, number, found[0]
                break


def _silence(
    kind: str, domain: str, raises: str, answers: str, title: str, why: str, severity: Severity = Severity.MEDIUM
) -> Check:
    raising, answering = re.compile(raises, re.IGNORECASE), re.compile(answers, re.IGNORECASE)

    def check(view: View) -> Iterator[Claim]:
        for path, number, words in _silent(view, raising, answering):
            said = f"Line {number} speaks of {words!r}. {why}"
            yield Claim(kind, domain, title, severity, Confidence.MEDIUM, at(path, number), said)

    return check


def _open_points(view: View) -> Iterator[Claim]:
    for path, number, words in _raised(view, _OPEN):
        why = f"The line leaves {words!r} open. Whoever carries this out has to decide it without knowing what was meant here."
        yield Claim(
            "open point", "completeness", "a decision is left open", Severity.MEDIUM, Confidence.HIGH, at(path, number), why
        )


def _vague_goals(view: View) -> Iterator[Claim]:
    for path, number, words in _raised(view, _VAGUE, _NUMBER):
        why = f"{words!r} names no number and no way to tell. Nobody can say afterwards whether the goal was met or missed."
        yield Claim(
            "goal without a measure",
            "nfr",
            "a goal that cannot be checked",
            Severity.LOW,
            Confidence.MEDIUM,
            at(path, number),
            why,
        )


DOCUMENT_CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (("completeness",), _open_points),
    (("completeness",), statements.contradictions),
    (("technical-risk",), statements.refuted),
    (("nfr",), _vague_goals),
    (
        ("acceptance-criteria",),
        _silence(
            "no acceptance criteria",
            "acceptance-criteria",
            r"\b(?:implement|build|introduce|add|replace|migrate)\b",
            r"accept|criteria|done when|success|definition of done|metric|\bgoals?\b|must pass",
            "the document does not say when it is done",
            "The document plans work and names no condition by which anybody could tell that it is finished.",
        ),
    ),
    (
        ("test-strategy",),
        _silence(
            "no word on tests",
            "test-strategy",
            r"\b(?:implement|build|introduce|replace|rewrite|migrate|refactor)\w*\b",
            r"\btest|\bverif|\bQA\b|staging|benchmark",
            "the document does not say how it is tested",
            "The document plans a change to a system and says nothing about how anybody will know that it works.",
        ),
    ),
    (
        ("data-handling",),
        _silence(
            "unprotected data",
            "data-handling",
            r"\b(?:passwords?|personal data|credit cards?|api keys?|credentials|health data|emails? address)\b",
            r"encrypt|hash(?:ed|ing)?\b|vault|secret (?:store|manager)|redact|GDPR|retention|access control|permission",
            "sensitive data without protection",
            "The document handles data that needs protection and names none: no encryption, hashing, access rule or retention.",
            Severity.HIGH,
        ),
    ),
    (
        ("auth",),
        _silence(
            "interface without access rule",
            "auth",
            r"\b(?:endpoint|REST API|public API|webhook|admin (?:panel|interface|page))s?\b",
            r"auth|permission|token|signed|signature|role|login|access",
            "an interface without a word on who may use it",
            "The document adds an interface and does not say who may call it or how that is checked.",
            Severity.HIGH,
        ),
    ),
    (
        ("migration",),
        _silence(
            "no way over",
            "migration",
            r"\b(?:rename|drop|remove|deprecat|replace|break(?:ing)? change|new schema|alter table)\w*\b",
            r"migrat|backward|backfill|compatib|rollback|roll back|transition|deprecation period|no users",
            "existing users are not led over",
            "The document takes something away or changes its shape. How existing users and data get over is not said.",
        ),
    ),
    (
        ("failure-modes",),
        _silence(
            "failure is not planned for",
            "failure-modes",
            r"\b(?:third[- ]party|external (?:service|API)|queue|microservice|message broker|remote call)s?\b",
            r"timeout|retry|retries|fallback|circuit|degrad|fail|unavailable|idempot",
            "the document does not say what happens when a part fails",
            "The design depends on another system and does not say what happens when that one is slow, down or answers twice.",
        ),
    ),
    (
        ("resources",),
        _silence(
            "no owner",
            "resources",
            r"\b(?:we will|will be (?:built|implemented|migrated)|roll ?out|phase \d|milestone)\b",
            r"owner|owned by|responsible|\bteam\b|assignee|maintainer|on[- ]call|@\w+|\blead\b",
            "nobody is named who carries it out",
            "The document plans work and names nobody who does it or decides on it. Open questions then have nowhere to go.",
            Severity.LOW,
        ),
    ),
    (
        ("scalability",),
        _silence(
            "no limits",
            "scalability",
            r"\b(?:upload|import|export|batch|cache|queue|retry|retries|loop over all|for (?:each|every) user)\w{0,3}\b",
            r"\blimit|\bmax|at most|quota|bounded|pagina|rate|\d+ ?(?:MB|GB|KB|per|requests|rows|items|%)",
            "the document sets no limits",
            "What is described grows with what users send or keep, and no size, number or rate is set beyond which it stops.",
        ),
    ),
    (
        ("phasing",),
        _silence(
            "no way back",
            "phasing",
            r"\b(?:migrate|migration|roll ?out|switch over|cut ?over|go live)\b",
            r"phase|step|stage|rollback|roll back|revert|feature flag|canary|gradual|milestone",
            "one big step without a way back",
            "The document moves a running system in one step, and names neither parts nor a way back.",
        ),
    ),
)
