"""Realistic reports for tests: one finding per level, a broken flow, refused claims, limits and left-out files.

`sample()` is a quick audit. `deep_sample()` is the same one as a deep audit, with every section that standard and deep add.
`compared_sample()` adds an earlier run, an exception, roots.
`poisoned(payload)` is that one with a payload in every field that can carry text from the reviewed code or from an agent.
`gallery(payloads)` has one poisoned finding per payload.
`many(count)` has as many findings as asked for, each with a flow of its own.
"""

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, cast

from counterproof.model.agents import AgentStatus, OutputStatus, Registered
from counterproof.model.confidence import Confidence
from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import Dimension
from counterproof.model.excerpt import Excerpt
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.flow import Break, Flow, FlowStep, StepKind
from counterproof.model.known import KnownFinding
from counterproof.model.location import Location, at
from counterproof.model.map import Component, Difference, Fact, Map, NotRead, Route, Setting, Sibling, Siblings, Way
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.model.recon import Asks, EntryKind, EntryPoint, Framework, FrameworkConfidence, Guard, WrittenGuard
from counterproof.model.report import (
    AttackPath,
    BaselineEvidence,
    Calibration,
    ChainLine,
    ControlEvidence,
    DiveEvidence,
    GateLine,
    Refused,
    RejectedLine,
    Report,
    ReportedFinding,
    RootCoverage,
    RoundLine,
    Scale,
    SourceCount,
    Term,
    ValidationEvidence,
)
from counterproof.model.root_cause import fingerprint
from counterproof.model.severity import Complexity, Ground, Impact, Rating, Reach, Severity
from counterproof.model.survey import Skipped, SkipReason
from counterproof.model.text import name_form


def sql_injection() -> Finding:
    return Finding(
        id="F001",
        rule="python.sql.injection",
        title="Request parameter reaches a SQL query",
        dimension=Dimension.D1,
        cwe=89,
        severity=Severity.HIGH,
        confidence=Ground.HIGH,
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
        excerpt=Excerpt(
            39,
            (
                "    with connect() as cursor:",
                "        if name:",
                "            # own orders only",
                "            cursor.execute(f\"SELECT * FROM orders WHERE customer = '{name}'\")",
                "        return cursor.fetchall()",
            ),
        ),
    )


def pickled_cookie() -> Finding:
    return Finding(
        id="F002",
        rule="python.deserialisation.pickle",
        title="Session cookie is unpickled",
        dimension=Dimension.D4,
        cwe=502,
        severity=Severity.CRITICAL,
        confidence=Ground.HIGH,
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
        confidence=Ground.MEDIUM,
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
        confidence=Ground.PATTERN,
        location=at("shop/größe & co/settings.py", 3),
        evidence="DEBUG = True",
        impact="Stack traces are shown to visitors.",
        rating=Rating(Reach.ANONYMOUS, Impact.MINOR),
    )


_POINTS = {
    Reach.ANONYMOUS: 2,
    Reach.LOW_PRIVILEGE: 1,
    Reach.ADMIN: 0,
    Impact.FULL: 3,
    Impact.PARTIAL: 2,
    Impact.LOCAL: 1,
    Impact.MINOR: -1,
    Complexity.SINGLE_REQUEST: 0,
    Complexity.MULTI_STEP: -1,
    Complexity.STRONG_PRECONDITIONS: -2,
}


def _calibration(rating: Rating) -> Calibration:
    terms = [
        Term("reachability", rating.reach.value, _POINTS[rating.reach]),
        Term("impact", rating.impact.value, _POINTS[rating.impact]),
        Term("complexity", rating.complexity.value, _POINTS[rating.complexity]),
    ]
    total = sum(term.points for term in terms)
    levels = ((5, Severity.CRITICAL), (4, Severity.HIGH), (2, Severity.MEDIUM), (-99, Severity.LOW))
    return Calibration(tuple(terms), total, next(level for least, level in levels if total >= least))


def reported(
    number: str,
    severity: Severity,
    finding: Finding,
    *,
    confidence: Confidence = Confidence.CLAIMED,
    labels: tuple[str, ...] = (),
    dispute: str = "",
) -> ReportedFinding:
    calibration = _calibration(finding.rating)
    return ReportedFinding(number, fingerprint(finding, 0), severity, confidence, finding, calibration, labels, dispute)


def findings() -> tuple[ReportedFinding, ...]:
    return (
        reported("L-01", Severity.LOW, debug_mode(), confidence=Confidence.SUSPECTED, labels=("unvalidated",)),
        reported("M-01", Severity.MEDIUM, weak_hash(), labels=("unvalidated",), dispute="agent: critical; calibrated: medium"),
        reported("C-01", Severity.CRITICAL, sql_injection(), confidence=Confidence.PROVED),
        reported("H-01", Severity.HIGH, pickled_cookie(), confidence=Confidence.VALIDATED, labels=("needs_manual",)),
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
        first_page=("C-01", "H-01"),
    )


def deep_sample() -> Report:
    """Rejected one and merged two of the seven that the sources kept: four are left."""
    quick = sample()
    low, medium, critical, high = quick.findings
    critical = replace(critical, labels=(), finding=replace(critical.finding, also=(at("shop/orders.py", 77),)))
    return replace(
        quick,
        mode="deep",
        requested_mode="deep",
        banners=("Required coverage not met: D9. The audit continued anyway.",),
        findings=(low, medium, critical, high),
        sources=(SourceCount("A1", 6, 4, 1, 1), SourceCount("A2", 2, 2, 0, 0), SourceCount("semgrep", 1, 1, 0, 0)),
        gates=(GateLine("gates passed", True, "before phase 2"), GateLine("coverage met", False, "6 of 8, 7 needed")),
        waivers=("D9 not met: never searched",),
        rounds=(
            RoundLine(1, False, ("A1", "A2"), 5, 8, ("D3", "D7", "D9"), "next round", "gaps are left"),
            RoundLine(2, True, ("A3",), 6, 8, ("D3", "D9"), "deep dive", "the round limit is reached"),
        ),
        control=ControlEvidence(6, 4, 3, 2, ("order",)),
        dive=DiveEvidence(3, 2, 5, ("shop/auth.py",), "2.5", 7, 1, 1),
        baseline=BaselineEvidence(
            "partial", "2 results could not be read", "1.182.0", 9, 1, 5, 3, (("sql-string", 6),), (("shop/orders.py", 5),)
        ),
        validation=ValidationEvidence(3, 1, 2, 1, 3, 1, 1, 2, ("validator-01",), ("A1",), 2),
        rejected=(
            RejectedLine("Open redirect", "shop/users.py:20", 601, "the target is a constant", "shop/users.py:19", ("A2",)),
        ),
        chains=(
            ChainLine(("C-01", "H-01"), ("the signing key",), Severity.CRITICAL, Confidence.VALIDATED, 7),
            ChainLine(
                ("C-01", "M-01", "L-01"), ("the database's content", "credentials"), Severity.HIGH, Confidence.SUSPECTED, 5
            ),
        ),
        paths=(AttackPath("GET /orders", "C-01", 3, 6),),
    )


def compared_sample() -> Report:
    """The deep one of a monorepo, compared with an earlier run, with an exception."""
    deep = deep_sample()
    low, medium, critical, high = deep.findings
    control = ControlEvidence(2, 2, 1, 1)
    return replace(
        deep,
        findings=(
            replace(low, history="persisting", accepted="accepted by ops@example.org until 2027-01-31: internal host"),
            replace(medium, history="persisting"),
            replace(critical, history="new"),
            replace(high, history="new"),
        ),
        fixed=(KnownFinding("0" * 32, "Open redirect after login", "shop/users.py:31", Severity.MEDIUM),),
        roots=(
            RootCoverage("shop", 400, False, True, deep.coverage, 6, 8, 7, 3, control),
            RootCoverage("packages/tiny", 20, True, False, deep.coverage[:3], 2, 3, 3, 0),
        ),
        map=a_map("login"),
    )


def a_map(text: str) -> Map:
    """Every part of a map, with this text where the reviewed code's may stand."""
    guard = WrittenGuard(at("app.py", 3), f'@login_required("{text}")', Asks.ROLE, "ADD")
    handler = at("app.py", 4)
    first = Route(EntryKind.HTTP, (Way("POST", "/order/<int:key>"), Way("POST", "/o")), handler, "order", "Flask", (guard,))
    second = Route(EntryKind.RPC, (Way("POST", "/api/order"),), at("api.py", 9), "Api.order", "Flask", (), "no @permission")
    ways = (Sibling(first.label, first.handler, first.asks), Sibling(second.label, second.handler, second.asks))
    rights = (Siblings(Difference.SAME_OPERATION, "Api.order", at("api.py", 9), ways),)
    sink = Fact("command-execution", at("api.py", 12), "subprocess.run(script)" * 9, "Api.order", (first.label, second.label))
    setting = Setting("reconnect.script", (at("api.py", 11),), ("command",), (at("api.py", 12),))
    return Map(
        text, "0" * 64, (first, second), rights, (sink,), (setting,), (), (), (), (Component("src", 2, 90, ("python",)),),
        (NotRead("lib", "12 files, 2,003 lines of C#", 12, 2_003, first_party=True), NotRead("a.gif", "binary")), 90,
    )  # fmt: skip


def many(count: int) -> Report:
    """Every finding has its own file, lines and code, so that nothing is saved by repetition that a real audit would not save."""
    report = deep_sample()
    letters = {Severity.CRITICAL: "C", Severity.HIGH: "H", Severity.MEDIUM: "M", Severity.LOW: "L"}
    numbers = dict.fromkeys(letters, 0)
    rows: list[ReportedFinding] = []
    for index in range(count):
        severity = list(letters)[min(3, index % 11 // 2)]
        numbers[severity] += 1
        finding = _one_of_many(index)
        row = reported(f"{letters[severity]}-{numbers[severity]:02}", severity, finding, confidence=Confidence.VALIDATED)
        rows.append(row)
    return replace(report, findings=tuple(rows), first_page=tuple(row.number for row in rows))


def _one_of_many(index: int) -> Finding:
    path = f"services/billing/module_{index % 170:03}/handlers.py"
    line = 20 + index % 900
    names = [f"value_{index}_{step}" for step in range(8)]
    kinds = [StepKind.SOURCE, *[StepKind.ASSIGN, StepKind.CALL, StepKind.BUILD] * 2, StepKind.SINK]
    steps = tuple(
        FlowStep(at(path, line + step), kind, f"{names[step]} = prepare_statement({names[max(0, step - 1)]}, mode={index})", "")
        for step, kind in enumerate(kinds)
    )
    step = ValidationStep(StepResult.PASS, f"followed over {len(steps)} steps to line {line + 7}", at(path, line + 7))
    return replace(
        sql_injection(),
        id=f"F{index:04}",
        title=f"Request parameter reaches statement {index} of the billing service",
        dimension=list(Dimension)[index % 10],
        location=at(path, line + 7),
        evidence=steps[-1].code,
        excerpt=None,
        function=f"handler_{index}",
        flow=Flow(steps),
        poc=f"curl 'http://localhost:5000/billing/{index}?name=%27%20OR%201=1--'",
        validation=Validation(step, step, step, step),
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
        return "xx" + name_form(payload.encode("utf-8", "surrogatepass").replace(b"/", b"")[:1_000])
    if field == "title":
        return "x" + payload[:190]
    if field == "reason" and not payload.strip():
        return value
    if field == "evidence":
        return "x" + "\n".join(payload.splitlines()[:2])
    return payload


def poisoned(payload: str) -> Report:
    """The fullest sample with the payload in every text. Paths, titles and evidence hold as much of it as they may."""
    report: Report = _poison(compared_sample(), payload, "")
    return report


def gallery(payloads: tuple[str, ...]) -> Report:
    """One finding per payload, poisoned all through, so that many payloads can be looked at in one page."""
    critical = compared_sample().findings[2]
    rows = tuple(replace(_poison(critical, each, ""), number=f"C-{index:02}") for index, each in enumerate(payloads, 1))
    return replace(sample(), findings=rows, first_page=tuple(row.number for row in rows), entry_points=())
