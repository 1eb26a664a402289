"""What a reader asks of any plan, as data: the words that raise a question, the words that would answer it, and why it matters.

Always: patterns are linear and case does not count. How documents are read stands elsewhere.
"""

from dataclasses import dataclass

from counterproof.model.severity import Severity


@dataclass(frozen=True, slots=True)
class Question:
    """`anywhere`: any sentence of a plan raises it, and not only one that says what is to be done. `note` is its weight in a note
    of few words."""

    kind: str
    domain: str
    raises: str
    answers: str
    title: str
    why: str
    severity: Severity = Severity.MEDIUM
    anywhere: bool = False
    note: Severity | None = None


_WORK = (
    r"\b(?:implement|build|introduc|add|replac|migrat|mov|switch|rewrit|refactor|split|roll(?:ing)? ?out|creat|drop"
    r"|convert|retir|stor|let|allow|put|integrat)\w*"
)
_LATER = (
    r"\b(?:will|shall|plan to|going to|roll ?out|phase \d|milestone|migrat\w*|switch|we move|we replace|we drop|we split"
    r"|we rewrite)\b"
)

_DATA = r"\b(?:passwords?|personal data|credit cards?|card numbers?|api keys?|credentials|health data|emails? address(?:es)?)\b"
_HANDLED = (
    r"\b(?:stor|keep|kept|sav(?:e|ing)|logged|logs|send|sent|shar(?:e|ing)|collect|cop(?:y|ied)|print|import|export"
    r"|pass(?:ed|es)|h[eo]ld)\w{0,3}\b"
)

QUESTIONS = (
    Question(
        "no acceptance criteria",
        "acceptance-criteria",
        _WORK,
        r"acceptance|criteria|done when|finished when|success|definition of done|metric|\bgoals?\b|must pass|measure"
        r"|\b(?:below|under|at most|at least|less than|more than|within)\b[^.]{0,40}\d|\d ?%",
        "the document does not say when it is done",
        "The document plans work and names no condition by which anybody could tell that it is finished.",
    ),
    Question(
        "no word on tests",
        "test-strategy",
        _WORK,
        r"\btest|\bverif|\bQA\b|staging|benchmark|dry run|compare",
        "the document does not say how it is tested",
        "The document plans a change to a system and says nothing about how anybody will know that it works.",
        note=Severity.LOW,
    ),
    Question(
        "unprotected data",
        "data-handling",
        rf"{_DATA}[^.]{{0,60}}{_HANDLED}|{_HANDLED}[^.]{{0,60}}{_DATA}",
        r"encrypt|hash(?:ed|ing)?\b|vault|secret (?:store|manager)|redact|GDPR|retention|access control|permission",
        "sensitive data without protection",
        "The document handles data that needs protection and names none: no encryption, hashing, access rule or retention.",
        Severity.HIGH,
        anywhere=True,
    ),
    Question(
        "interface without access rule",
        "auth",
        r"\b(?:endpoint|REST API|public API|webhook|admin (?:panel|interface|page))s?\b",
        r"auth|permission|token|signed|signature|role|login|access",
        "an interface without a word on who may use it",
        "The document adds an interface and does not say who may call it or how that is checked.",
        Severity.HIGH,
    ),
    Question(
        "no way over",
        "migration",
        r"\b(?:rename|drop|remove|deprecat|retire|replace|break(?:ing)? change|new schema|alter table)\w*\b",
        r"migrat|backward|backfill|compatib|rollback|roll back|transition|deprecation period|no users|copied|archive|export",
        "existing users are not led over",
        "The document takes something away or changes its shape. How existing users and data get over is not said.",
    ),
    Question(
        "failure is not planned for",
        "failure-modes",
        r"\b(?:third[- ]party|external (?:service|API)|queue|microservice|message broker|remote call)s?\b",
        r"timeout|retry|retries|fallback|circuit|degrad|fail|unavailable|idempot",
        "the document does not say what happens when a part fails",
        "The design depends on another system and does not say what happens when that one is slow, down or answers twice.",
        anywhere=True,
    ),
    Question(
        "no owner",
        "resources",
        _LATER,
        r"owner|authors?:|owned by|responsible|\bteam\b|assignee|maintainer|on[- ]call|@\w+|\blead\b|\bin charge\b"
        r"|(?-i:\b(?!We|It|This|That|They|Users|There|Which|Who|The|Each)[A-Z][a-z]{1,20} "
        r"(?:builds|does|leads|owns|implements|takes|writes))"
        r"|\bI(?:'ll| will| am|'m)\b",
        "nobody is named who carries it out",
        "The document plans work and names nobody who does it or decides on it. Open questions then have nowhere to go.",
        Severity.LOW,
    ),
    Question(
        "no date",
        "timeline",
        _LATER,
        r"\b(?:20\d\d|january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday"
        r"|thursday|friday|sprint|quarter|q[1-4]|deadline|milestones?|tomorrow|next \w+|week \d|version \d|v\d|release)\b"
        r"|\b(?:in|within|by|before|until) (?:\w+ ){0,2}(?:days|weeks?|months?)\b",
        "nothing says when it happens",
        "The document plans work and names no date, release or order in time. Who depends on it cannot plan.",
        Severity.LOW,
    ),
    Question(
        "no limits",
        "scalability",
        r"\b(?:uploads?|batch|cache|queue|retry|retries|loop over all|for (?:each|every) user"
        r"|(?:we|to|will|and) (?:import|export))\b",
        r"\blimit|\bmax|at most|quota|bounded|pagina|rate|\d+ ?(?:MB|GB|KB|per|requests|rows|items|%)",
        "the document sets no limits",
        "What is described grows with what users send or keep, and no size, number or rate is set beyond which it stops.",
    ),
    Question(
        "no way back",
        "phasing",
        r"\b(?:migrate|migration|roll ?out|switch(?:ing)? (?:over|to)|cut ?over|go live|mov(?:e|es|ed|ing) (?:all|the|our|every)"
        r"|drop the)\b",
        r"phase|step by step|in steps|stage|rollback|roll back|way back|revert|undo|restor|backup|feature flag|canary|gradual"
        r"|milestone|keep the old|in parallel|one (?:by|at a) ",
        "one big step without a way back",
        "The document moves a running system in one step, and names neither parts nor a way back.",
    ),
)
