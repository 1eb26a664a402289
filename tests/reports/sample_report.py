"""A realistic report for tests: one finding per level, a broken flow, refused claims, limits and left-out files.

`sample()` builds it; `poisoned(payload)` builds the same report with a payload in every field that can carry text from the
reviewed code or from an agent.
"""

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, cast

from counterproof.model.agents import AgentStatus, OutputStatus, Registered
from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.flow import Break, Flow, FlowStep, StepKind
from counterproof.model.location import Location, at
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.model.recon import EntryKind, EntryPoint, Framework, FrameworkConfidence, Guard
from counterproof.model.report import Calibration, Refused, Report, ReportedFinding, Scale, SourceCount, Term, fingerprint
from counterproof.model.severity import Complexity, Confidence, Impact, Rating, Reach, Severity
from counterproof.model.survey import Skipped, SkipReason


def sql_injection() -> Finding:
    return Finding(
        id="F001",
        rule="python.sql.injection",
        title="Request parameter reaches a SQL query",
        dimension=Dimension.D1,
        cwe=89,
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        location=at("shop/orders.py", 42),
        evidence="cursor.execute(f\"SELECT * FROM orders WHERE customer = '{name}'\")",
        impact="An anonymous visitor reads and changes every order.",
        rating=Rating(Reach.ANONYMOUS, Impact.FULL, default_config=True),
        function="search",
        source="request.args['name']",
        sink="cursor.execute",
        flow=Flow(
            (
                FlowStep(at("shop/orders.py", 38), StepKind.SOURCE, "name = request.args['name']", "read from the query string"),
                FlowStep(at("shop/orders.py", 40), StepKind.CALL, "rows = find(name)", "passed as `name`"),
                FlowStep(at("shop/orders.py", 42), StepKind.SINK, "cursor.execute(f\"SELECT … '{name}'\")"),
            )
        ),
        guards=("login_required is not applied to search()",),
        remedy="Pass the value as a parameter: cursor.execute(sql, (name,)).",
        poc="curl 'http://localhost:5000/orders?name=%27%20OR%201=1--'",
        validation=Validation(flow=ValidationStep(StepResult.PASS, "three resolved steps", at("shop/orders.py", 42))),
        found_by=("A1",),
    )


def pickled_cookie() -> Finding:
    return Finding(
        id="F002",
        rule="python.deserialisation.pickle",
        title="Session cookie is unpickled",
        dimension=Dimension.D4,
        cwe=502,
        severity=Severity.CRITICAL,
        confidence=Confidence.HIGH,
        location=Location("shop/session.py", 10, 11),
        evidence="raw = base64.b64decode(cookie)\nreturn pickle.loads(raw)",
        impact="Code execution on the server.",
        rating=Rating(Reach.LOW_PRIVILEGE, Impact.FULL),
        no_poc_reason="needs a valid cookie signature",
        remedy="Store the session as JSON.",
    )


def weak_hash() -> Finding:
    flow = Flow(
        (
            FlowStep(at("shop/users.py", 5), StepKind.SOURCE, "password = form['password']"),
            FlowStep(at("shop/users.py", 9), StepKind.SINK, "hashlib.md5(password)"),
        ),
        Break.CALLBACK,
    )
    return Finding(
        id="F003",
        rule="",
        title="Passwords are hashed with MD5",
        dimension=Dimension.D7,
        cwe=328,
        severity=Severity.CRITICAL,
        confidence=Confidence.MEDIUM,
        location=at("shop/users.py", 9),
        evidence="hashlib.md5(password)",
        impact="A leaked table is cracked in hours.",
        rating=Rating(Reach.ADMIN, Impact.PARTIAL),
        flow=flow,
    )


def debug_mode() -> Finding:
    return Finding(
        id="F004",
        rule="python.config.debug",
        title="Debug mode is on",
        dimension=Dimension.D8,
        cwe=489,
        severity=Severity.LOW,
        confidence=Confidence.PATTERN,
        location=at("shop/größe & co/settings.py", 3),
        evidence="DEBUG = True",
        impact="Stack traces are shown to visitors.",
        rating=Rating(Reach.ANONYMOUS, Impact.LOCAL),
    )


_POINTS = {
    Reach.ANONYMOUS: 2,
    Reach.LOW_PRIVILEGE: 1,
    Reach.ADMIN: 0,
    Impact.FULL: 3,
    Impact.PARTIAL: 2,
    Impact.LOCAL: 1,
    Complexity.SINGLE_REQUEST: 0,
    Complexity.MULTI_STEP: -1,
    Complexity.STRONG_PRECONDITIONS: -2,
}


def _calibration(rating: Rating, cap: str) -> Calibration:
    terms = [
        Term("reachability", rating.reach.value, _POINTS[rating.reach]),
        Term("impact", rating.impact.value, _POINTS[rating.impact]),
        Term("complexity", rating.complexity.value, _POINTS[rating.complexity]),
    ]
    if rating.default_config:
        terms.append(Term("default configuration", "yes", 1))
    total = sum(term.points for term in terms)
    levels = ((6, Severity.CRITICAL), (4, Severity.HIGH), (1, Severity.MEDIUM), (-99, Severity.LOW))
    return Calibration(tuple(terms), total, next(level for least, level in levels if total >= least), cap=cap)


def reported(
    number: str, severity: Severity, finding: Finding, *, labels: tuple[str, ...] = (), cap: str = "", dispute: str = ""
) -> ReportedFinding:
    calibration = _calibration(finding.rating, cap)
    return ReportedFinding(number, fingerprint(finding, 0), severity, finding, calibration, labels, dispute)


def findings() -> tuple[ReportedFinding, ...]:
    return (
        reported("L-01", Severity.LOW, debug_mode(), labels=("unvalidated",), cap="pattern-only caps at Low"),
        reported("M-01", Severity.MEDIUM, weak_hash(), labels=("unvalidated",), dispute="agent: critical; calibrated: medium"),
        reported("C-01", Severity.CRITICAL, sql_injection(), labels=("unvalidated",)),
        reported("H-01", Severity.HIGH, pickled_cookie(), labels=("unvalidated", "needs_manual")),
    )


def coverage() -> tuple[DimensionCoverage, ...]:
    rows: dict[Dimension, DimensionCoverage] = {
        each: DimensionCoverage(each, Status.COVERED, "one sink traced to its source", searches=4, files_hit=2, files_traced=2)
        for each in Dimension
    }
    rows[Dimension.D3] = DimensionCoverage(Dimension.D3, Status.SHALLOW, "guards searched, none traced", searches=3)
    rows[Dimension.D6] = DimensionCoverage(Dimension.D6, Status.NOT_APPLICABLE, "no outbound request", searches=3)
    rows[Dimension.D9] = DimensionCoverage(Dimension.D9, Status.UNCOVERED, "never searched")
    rows[Dimension.D10] = DimensionCoverage(
        Dimension.D10,
        Status.SHALLOW,
        "manifests read",
        limitation="known CVEs not checked",
        excluded=True,
        items=2,
        items_judged=2,
    )
    return tuple(rows.values())


def sample() -> Report:
    return Report(
        target="shop",
        version="0.1.0",
        mode="quick",
        requested_mode="standard",
        banners=("Forced to quick mode: 420 lines of code.",),
        summary=("Four findings in a small web shop.", "The order search needs work first."),
        outcome=Outcome(
            (Reason(Exit.INCOMPLETE, "coverage 6 of 8, threshold 7"), Reason(Exit.FINDINGS, "2 findings at or above high"))
        ),
        scale=Scale(12, 3, 420, (("python", 400), ("javascript", 20))),
        project_type="General Web",
        frameworks=(Framework("Flask", "3.0.1", FrameworkConfidence.HIGH, ("requirements.txt", "shop/__init__.py:3")),),
        entry_points=(
            EntryPoint(EntryKind.HTTP, "GET", "/orders", at("shop/orders.py", 36), "shop.orders.search", "Flask", Guard.ABSENT),
            EntryPoint(EntryKind.HTTP, "POST", "/login", at("shop/users.py", 3), "shop.users.login", "Flask", Guard.UNKNOWN),
            EntryPoint(EntryKind.MAIN, "", "run.py", at("run.py", 1), "run"),
        ),
        dependencies=7,
        coverage=coverage(),
        covered=6,
        counted=8,
        threshold=7,
        findings=findings(),
        refused=(Refused("A2", "Command injection", "shop/missing.py:7", "the file does not exist"),),
        sources=(SourceCount("A1", 5, 3, 1, 1), SourceCount("A2", 1, 1, 0, 0)),
        agents=(
            Registered(
                "A1",
                "T1",
                AgentStatus.COMPLETED,
                1,
                (Dimension.D1, Dimension.D4),
                OutputStatus.COMPLETE,
                3,
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:01:00Z",
            ),
            Registered("A2", "T2", AgentStatus.TRUNCATED, 1, (Dimension.D7,), OutputStatus.TRUNCATED, 1),
        ),
        documents=("execution-controller",),
        modules_loaded=("languages/python",),
        limitations=("Known CVEs not checked: no vulnerability data.", "1 file could not be parsed."),
        skipped=(
            Skipped("node_modules", SkipReason.VENDORED, 812),
            Skipped("static/app.min.js", SkipReason.LONG_LINES),
            Skipped("static/vendor.min.js", SkipReason.LONG_LINES, detail="1.2 MB"),
        ),
        markers=("[MODE] quick", "[PHASE] 1 completed"),
    )


_KEPT = frozenset({"fingerprint", "schema_version"})


def _poison(value: Any, payload: str, field: str) -> Any:
    if isinstance(value, Enum) or field in _KEPT:
        return value
    if isinstance(value, str):
        return _poisoned_text(value, payload, field)
    if isinstance(value, tuple):
        return tuple(_poison(each, payload, field) for each in cast("tuple[Any, ...]", value))
    if is_dataclass(value) and not isinstance(value, type):
        names = [each.name for each in fields(value)]
        return replace(value, **{name: _poison(getattr(value, name), payload, name) for name in names})
    return value


def _poisoned_text(value: str, payload: str, field: str) -> str:
    if field == "path":
        return "xx" + "".join(each for each in payload if ord(each) >= 32 and ord(each) != 127 and each != "/")[:3_000]
    if field == "title":
        return "x" + payload[:190]
    if field == "reason" and not payload.strip():
        return value
    if field == "evidence":
        return "x" + "\n".join(payload.splitlines()[:2])
    return payload


def poisoned(payload: str) -> Report:
    """The sample with the payload in every text. Paths, titles and evidence hold as much of it as they may."""
    report: Report = _poison(sample(), payload, "")
    return report
