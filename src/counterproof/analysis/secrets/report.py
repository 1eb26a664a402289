"""How a hard-coded secret is reported: title, confidence, rating, and a quote without the secret."""

import re

from counterproof.analysis.project import Project
from counterproof.analysis.proofs import stored_value
from counterproof.analysis.ruleset import RuleInfo, SecretRule, load_rules
from counterproof.analysis.secrets.candidate import Candidate, Place
from counterproof.analysis.secrets.redaction import mark, quote, redact
from counterproof.analysis.secrets.secret_names import SIGNING, Kind, is_outside
from counterproof.analysis.secrets.uses import (
    IN_PLACE,
    Use,
    compared_at,
    is_for_developers,
    lets_in,
    set_elsewhere,
    use_of,
)
from counterproof.analysis.secrets.values import Judgement
from counterproof.analysis.source.origin import is_sample
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, Guess, Proof
from counterproof.model.severity import Complexity, Confidence, Impact, Rating, Reach, Severity

_LINES_BACK = 6
_OUTSIDE = "Whoever reads the source can call the service that gave this key in the name of this program."
_CREDENTIAL = 798
"""The CWE for credentials that another service issued, instead of cryptographic keys (321)."""
RUNNING_OUT = "eyJ"
"""Prefix of web tokens, which expire by design."""
_SHOWN = "AIza"
"""Prefix of keys that pages and programs publish; their permissions are set at the provider."""
_FOR_TRIALS = ("sk_test_", "rk_test_")
"""Prefixes of keys for test payments."""
_COMPOSED = re.compile(r"(?:docker-)?compose[\w.-]*\.ya?ml")
_DATA = (".json", ".csv", ".xml", ".log", ".har", ".txt", ".ndjson", ".jsonl")
"""Files of recorded data: values of one format in them have one cause."""
_SHARED = (".yml", ".yaml", ".sh", ".conf", ".cfg", ".ini")
"""Settings files of which projects keep several copies."""


def rule_of(kind: Kind) -> RuleInfo:
    """The rule for this kind of secret."""
    rules = (loaded.rule for loaded in load_rules())
    return next(rule for rule in rules if isinstance(rule, SecretRule) and rule.secret is kind)


def group_key(project: Project, candidate: Candidate) -> tuple[str, ...]:
    """Candidates with the same key become one finding: seeded accounts of one function, rows of one table, equal settings in data
    files of one name or in several service descriptions and their start scripts, private keys among tests, tokens of one format
    in a data file or among the examples, other realistic values there."""
    if candidate.place is Place.FORM and project.files[candidate.path].test:
        return ("tests", candidate.label)
    if candidate.place is Place.FORM and candidate.kind is Kind.TOKEN and is_sample(candidate.path):
        return ("samples", candidate.label)
    if candidate.place is Place.CONFIGURED and candidate.path.endswith(_SHARED) and not candidate.label:
        return ("settings", candidate.name, candidate.value)
    if candidate.place is Place.FORM and candidate.path.endswith(_DATA):
        return (candidate.path, candidate.label)
    if candidate.place is Place.SEEDED:
        return (candidate.path, candidate.function, candidate.name, Place.SEEDED)
    if candidate.place is Place.ENTRY:
        return (candidate.path, candidate.name.lower(), candidate.kind, Place.ENTRY)
    if (test := project.files[candidate.path].test) or is_sample(candidate.path):
        return ("tests" if test else "samples", candidate.kind)
    if candidate.place is Place.CONFIGURED and candidate.path.endswith((".xml", ".json", ".csv")):
        return (candidate.path.rpartition("/")[2], candidate.name.lower(), Place.CONFIGURED)
    return (candidate.path, str(candidate.line), candidate.kind)


def finding_of(project: Project, group: tuple[Candidate, ...], judgement: Judgement) -> Finding:
    """One finding for candidates with the same root cause, located at the first of them."""
    first = group[0]
    info = rule_of(first.kind)
    place, evidence = _evidence(project, first)
    given = first.kind is Kind.TOKEN or (first.kind is Kind.KEY and is_outside(first.name))
    checked = first.place is Place.COMPARED or compared_at(project, first) is not None
    outside = (given and not first.label and not checked) or first.value.startswith(_SHOWN)
    use = use_of(project, first)
    named = is_named_only(project, first, use)
    confidence = Confidence.PATTERN if named else _confidence(project, first, judgement)
    return Finding(
        id="",
        rule=info.id,
        title=_title(group, judgement),
        dimension=info.dimension,
        cwe=_CREDENTIAL if outside and first.kind is Kind.KEY else info.cwe,
        severity=Severity.MEDIUM if outside and confidence is Confidence.HIGH else _severity(first, confidence, judgement),
        confidence=confidence,
        location=place,
        evidence=evidence,
        impact=(_OUTSIDE if outside else info.consequence) + _elsewhere(group),
        rating=_rating(confidence, _gives_all(project, first, use)),
        function=first.function,
        sink=redact(first.name),
        remedy=info.remedy,
        no_poc_reason="Using the secret would mean logging in somewhere; reading the line is the proof.",
        validation=_validation(
            first,
            judgement,
            place,
            confidence,
            _OUTSIDE if outside else info.consequence,
            project.files[first.path].language is not None,
            named,
        ),
        posture=info.posture or is_composed(first.path),
        proof=_proof(project, first, use, outside, named),
    )


def is_named_only(project: Project, candidate: Candidate, use: Use | None) -> bool:
    """Return True if only its name says that a literal is a secret: no known format, and no use as one."""
    used = candidate.place in IN_PLACE or candidate.handed or (use is not None and use.taken)
    known = bool(candidate.label) or candidate.name.rpartition(".")[2].upper() in SIGNING
    return not (used or known or compared_at(project, candidate))


def _proof(project: Project, candidate: Candidate, use: Use | None, outside: bool, named: bool) -> Proof:
    """The proof: the value and its use. If only the name says that it is a secret, this and its purpose are left open; so is the
    purpose of a credential that another service issued."""
    here, name = at(candidate.path, candidate.line), redact(candidate.name)
    assumed = (Assumption(Guess.NAME, name, here),) if named or outside else ()
    if named:
        return stored_value(project, here, assumed=(*assumed, Assumption(Guess.UNKNOWN_USE, "what it opens", here)))
    if outside:
        assumed += (Assumption(Guess.UNKNOWN_USE, "what it opens at the other service", here),)
    elif candidate.kind is not Kind.TOKEN and use is not None and not lets_in(project, candidate, use):
        assumed += (Assumption(Guess.UNKNOWN_USE, "what it opens", here), Assumption(Guess.UNKNOWN_REACH, "what it opens", here))
    elif use is None and candidate.value.startswith(RUNNING_OUT):
        assumed += (Assumption(Guess.UNKNOWN_USE, "whether anything still accepts it", here),)
    if candidate.place is Place.DEFAULT:
        assumed += (Assumption(Guess.UNSEEN_SETTING, name, here),)
    elif setter := set_elsewhere(project, candidate):
        assumed += (Assumption(Guess.UNSEEN_SETTING, name, setter),)
    elif is_for_developers(project, candidate):
        assumed += (Assumption(Guess.UNSEEN_SETTING, name, here), Assumption(Guess.FILE_ROLE, "for developers", here))
    return stored_value(project, here, use.fact if use else None, assumed=assumed)


def is_composed(path: str) -> bool:
    """Return True if a file starts services side by side on one machine: only they see each other's passwords."""
    folders, _, name = path.lower().rpartition("/")
    return _COMPOSED.fullmatch(name) is not None or ("compose" in folders.split("/") and name.endswith((".yml", ".yaml")))


def _evidence(project: Project, candidate: Candidate) -> tuple[Location, str]:
    """A quote without the secret. A line that contains only the secret is represented by the statement it belongs to."""
    for line in range(candidate.line, max(0, candidate.line - _LINES_BACK), -1):
        shown = quote(project.line(candidate.path, line), candidate.value)
        if shown:
            return Location(candidate.path, line, candidate.line), shown
    return at(candidate.path, candidate.line), mark(candidate.value)


def _title(group: tuple[Candidate, ...], judgement: Judgement) -> str:
    first = group[0]
    if first.place is Place.SEEDED:
        return f"Hard-coded passwords of seeded accounts ({len(group)})"
    if first.label:
        return f"Hard-coded {first.label.removeprefix('a ').removeprefix('an ')}"
    weak = "weak " if judgement.weak else ""
    name = redact(first.name)[:80]
    files = len({each.path for each in group})
    if len({each.name for each in group}) > 1 and len({(each.path, each.line) for each in group}) > 1:
        return f"Hard-coded {first.kind.value} in tests or examples ({len(group)} values that look real)"
    if len(group) > 1:
        return f"Hard-coded {first.kind.value}: {name} ({len(group)} values in {'one file' if files == 1 else f'{files} files'})"
    if first.place is Place.COMPARED:
        return f"Hard-coded {first.kind.value}: input compared with a {weak}literal"
    return f"Hard-coded {weak}{first.kind.value}: {name}"


def _elsewhere(group: tuple[Candidate, ...]) -> str:
    first = group[0]
    places = dict.fromkeys(
        f"line {each.line}" if each.path == first.path else f"{each.path}:{each.line}"
        for each in group[1:]
        if (each.path, each.line) != (first.path, first.line)
    )
    if not places:
        return ""
    return f" More of the same: {', '.join(list(places)[:10])}{' and others' if len(places) > 10 else ''}."


def _confidence(project: Project, candidate: Candidate, judgement: Judgement) -> Confidence:
    if project.files[candidate.path].test or is_sample(candidate.path) or candidate.value.startswith(_FOR_TRIALS):
        return Confidence.PATTERN
    if "example" in project.line(candidate.path, candidate.line)[:500].lower():
        return Confidence.PATTERN
    if candidate.place is Place.FORM:
        return Confidence.MEDIUM if candidate.kind is Kind.TOKEN and candidate.value.startswith(RUNNING_OUT) else Confidence.HIGH
    if candidate.place in (Place.DEFAULT, Place.SEEDED):
        return Confidence.MEDIUM
    if candidate.kind is Kind.PASSWORD and candidate.place in (Place.ENTRY, Place.PASSED) and judgement.weak:
        return Confidence.MEDIUM
    return Confidence.HIGH


def _severity(candidate: Candidate, confidence: Confidence, judgement: Judgement) -> Severity:
    if confidence is Confidence.PATTERN:
        return Severity.LOW
    if confidence is Confidence.MEDIUM or (candidate.kind is Kind.PASSWORD and judgement.weak):
        return Severity.MEDIUM
    return Severity.HIGH


def _gives_all(project: Project, candidate: Candidate, use: Use | None) -> bool:
    """Return True if everyone who knows it gets in, wherever the program runs: an account's password may be changed there, a
    password compared in code cannot."""
    compared = candidate.place is Place.COMPARED or compared_at(project, candidate) is not None
    return (candidate.kind is not Kind.PASSWORD or compared) and lets_in(project, candidate, use)


def _rating(confidence: Confidence, lets_anyone_in: bool) -> Rating:
    """An attacker with the source needs no account, but a second step to use the secret. Other systems it opens may be
    unreachable."""
    steps = Complexity.STRONG_PRECONDITIONS if confidence is Confidence.PATTERN else Complexity.MULTI_STEP
    impact = Impact.FULL if lets_anyone_in else Impact.PARTIAL
    return Rating(reach=Reach.ANONYMOUS, impact=impact, complexity=steps)


def _validation(
    candidate: Candidate,
    judgement: Judgement,
    place: Location,
    confidence: Confidence,
    consequence: str,
    coded: bool,
    named: bool,
) -> Validation:
    how = "written into the code" if coded and candidate.place is Place.CONFIGURED else candidate.place.value
    shown = ValidationStep(StepResult.PASS, f"The value is in the file; it is {how}.", place)
    if confidence is Confidence.PATTERN:
        trial = "The file is a test, an example or documentation, or the key is made for trials."
        why = "Only the name says that it is a secret; no use of it was found." if named else trial
        reach = ValidationStep(StepResult.PARTIAL, why, place)
    else:
        reach = ValidationStep(StepResult.PASS, "Everyone with a copy of the source or of the artefact has it.", place)
    kept = candidate.place is not Place.DEFAULT
    defence = ValidationStep(
        StepResult.PASS if kept else StepResult.PARTIAL,
        f"Nothing replaces it: {judgement.reason}." if kept else "It only applies where the setting is missing.",
        place,
    )
    return Validation(shown, defence, reach, ValidationStep(StepResult.PASS, consequence, place))
