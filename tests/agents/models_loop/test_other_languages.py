"""Whole audits of small projects in languages without an analyst of flows: models earn the coverage, the run ends complete."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agents.models_loop.diligence import Claimed, Diligent
from agents.models_loop.modelling import a_model_task, audited, tools_for
from counterproof.model.contract import Role
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Guess
from counterproof.model.receipt import Exit
from counterproof.model.report import Report
from counterproof.model.survey import Language
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import AuditState
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.statements import Cited


@dataclass(frozen=True)
class Ran:
    language: str
    report: Report
    state: AuditState
    model: Diligent


GO = {
    "go.mod": "module example.com/shop\n\ngo 1.22\n\nrequire github.com/lib/pq v1.10.9\n",
    "main.go": (
        'package main\n\nimport (\n\t"database/sql"\n\t"net/http"\n\n\t_ "github.com/lib/pq"\n)\n\n'
        "var db *sql.DB\n\n"
        "func search(w http.ResponseWriter, r *http.Request) {\n"
        '\tname := r.URL.Query().Get("name") // checked by the gateway\n'
        "\trows, err := findOrders(name)\n"
        '\tif err != nil {\n\t\thttp.Error(w, "failed", 500)\n\t\treturn\n\t}\n'
        "\tdefer rows.Close()\n\tw.WriteHeader(200)\n}\n\n"
        "func main() {\n"
        '\thttp.HandleFunc("/search", search)\n\thttp.ListenAndServe(":8080", nil)\n}\n'
    ),
    "orders.go": (
        'package main\n\nimport "database/sql"\n\n'
        "func findOrders(name string) (*sql.Rows, error) {\n"
        '\tquery := "SELECT * FROM orders WHERE name = \'" + name + "\'" // a short list\n'
        "\treturn db.Query(query)\n}\n"
    ),
}
PHP = {
    "composer.json": '{"require": {"php": ">=8.1", "ext-pdo": "*", "monolog/monolog": "3.5.0"}}\n',
    "index.php": (
        "<?php\nrequire_once 'orders.php';\n\n$pdo = new PDO('sqlite:shop.db');\n"
        "$name = $_GET['name']; // checked by the gateway\n"
        "$rows = find_orders($pdo, $name);\nforeach ($rows as $row) {\n    print(htmlspecialchars($row['name']));\n}\n"
    ),
    "orders.php": (
        "<?php\n\nfunction find_orders($pdo, $name)\n{\n"
        "    $query = \"SELECT * FROM orders WHERE name = '\" . $name . \"'\"; // a short list\n"
        "    return $pdo->query($query);\n}\n"
    ),
}  # fmt: skip
FILLER = {
    "go": (
        "area.go",
        "package main\n\n",
        "func area{n}(width int, height int) int {{\n\tsize := width * height\n\treturn size + {n}\n}}\n\n",
    ),
    "php": (
        "area.php",
        "<?php\n\n",
        "function area_{n}($width, $height)\n{{\n    $size = $width * $height;\n    return $size + {n};\n}}\n\n",
    ),
}
ABSENT: dict[str, list[tuple[str, str, str]]] = {
    "go": [
        ("D1", "shell", r"exec\.Command"), ("D1", "template", r"template\.HTML|Fprintf\(w"),
        ("D1", "sql", r"db\.(Query|Exec|QueryRow)\("),
        ("D2", "token", r"jwt\.Parse"), ("D2", "password", r"CompareHashAndPassword"), ("D2", "token", r"jwt\.|ParseWithClaims"),
        ("D4", "objects", r"gob\.NewDecoder|yaml\.Unmarshal"),
        ("D4", "xml", r"xml\.Unmarshal"), ("D4", "objects", r"yaml\.|gob\."),
        ("D5", "path", r"os\.(Open|ReadFile|WriteFile)"), ("D5", "upload", r"FormFile"), ("D5", "path", r"os\.Open\(|ioutil"),
        ("D6", "request", r"http\.Get|client\.Do"), ("D6", "redirect", r"http\.Redirect"),
        ("D6", "request", r"http\.(Get|Post)\("),
        ("D8", "tls", r"InsecureSkipVerify"), ("D8", "headers", r"Access-Control-Allow"), ("D8", "cookie", r"SetCookie"),
        ("D7", "hash", r"md5\.|sha1\."), ("D7", "cipher", r"des\.NewCipher|aes\.NewCipher"), ("D7", "random", r"rand\.Intn"),
    ],
    "php": [
        ("D1", "shell", r"shell_exec|passthru|system\("), ("D1", "code", r"eval\(|assert\("),
        ("D1", "sql", r"->query\(|mysqli_query"),
        ("D2", "password", r"password_verify"), ("D2", "session", r"session_start"), ("D2", "session", r"session_"),
        ("D4", "objects", r"unserialize"), ("D4", "xml", r"simplexml_load_string|loadXML"), ("D4", "xml", r"loadXML|DOMDocument"),
        ("D5", "path", r"file_get_contents|fopen|readfile"), ("D5", "upload", r"move_uploaded_file"),
        ("D5", "path", r"include \$|fopen"),
        ("D6", "request", r"curl_exec"), ("D6", "redirect", r"Location:"), ("D6", "request", r"curl_"),
        ("D8", "tls", r"SSL_VERIFYPEER"), ("D8", "headers", r"Access-Control-Allow"), ("D8", "debug", r"display_errors|phpinfo"),
        ("D7", "hash", r"md5\(|sha1\("), ("D7", "cipher", r"openssl_encrypt"), ("D7", "random", r"mt_rand|rand\("),
    ],
}  # fmt: skip
CLAIM: dict[str, Any] = {
    "title": "The order search builds SQL from a parameter", "dimension": "D1", "cwe": 89, "severity": "critical",
    "confidence": "high", "impact": "Anybody reads every table.", "reach": "anonymous", "harm": "full",
}  # fmt: skip
STEPS = {
    "go": [
        ("main.go", "Get(", "source", "assign", "name"), ("main.go", "findOrders(", "call", "call", "findOrders"),
        ("orders.go", "func findOrders", "assign", "parameter", "name"), ("orders.go", "SELECT", "build", "assign", "query"),
        ("orders.go", "db.Query", "sink", "call", "db.Query"),
    ],
    "php": [
        ("index.php", "$_GET", "source", "assign", "name"), ("index.php", "find_orders(", "call", "call", "find_orders"),
        ("orders.php", "function find_orders", "assign", "parameter", "name"),
        ("orders.php", "SELECT", "build", "assign", "query"),
        ("orders.php", "->query", "sink", "call", "query"),
    ],
}  # fmt: skip
HANDLER = {"go": ("main.go", "func search"), "php": ("index.php", "$_GET")}
PROJECTS = {"go": (GO, "orders.go", "db.Query"), "php": (PHP, "orders.php", "->query")}


def a_project(folder: Path, language: str) -> Path:
    files, _, _ = PROJECTS[language]
    name, head, row = FILLER[language]
    root = folder / language
    root.mkdir()
    for path, text in {**files, name: head + "".join(row.format(n=n) for n in range(180))}.items():
        (root / path).write_text(text, encoding="utf-8")
    return root


def a_model(language: str) -> Diligent:
    _, file, sink = PROJECTS[language]
    named = [path for path in PROJECTS[language][0] if path != file]
    # The sink's file is not read first: the model asks for it after it has hit it.
    return Diligent(
        ABSENT[language], [*named, file], [(file, sink)], [Claimed(CLAIM, file, sink, STEPS[language])], [HANDLER[language]]
    )


@pytest.fixture(params=["go", "php"])
def ran(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> Ran:
    model = a_model(request.param)
    report, state = audited(a_project(tmp_path, request.param), model, Mode.STANDARD)
    return Ran(request.param, report, state, model)


@pytest.mark.rule("A59")
def test_models_earn_the_coverage_and_the_audit_ends_complete(ran: Ran) -> None:
    rows = {row.dimension: row for row in ran.report.coverage}
    good = (Status.COVERED, Status.NOT_APPLICABLE)
    assert all(row.status in good for row in rows.values() if row.dimension is not Dimension.D10), rows
    assert rows[Dimension.D1].complete_traces == 1
    assert rows[Dimension.D2].reason.startswith("proved absent: 3 empty searches over 2 sub-categories")
    assert "controlled places followed" in rows[Dimension.D3].reason
    assert ran.report.outcome.exit in (Exit.CLEAN, Exit.FINDINGS), ran.report.outcome


@pytest.mark.rule("A59", "A29")
def test_the_flaw_that_shows_only_in_the_caller_is_found_cited_and_followed_hop_by_hop(ran: Ran) -> None:
    """The model hits the query, asks who calls its function, reads the caller, and states the flow from there."""
    _, sink_file, sink = PROJECTS[ran.language]
    (found,) = [entry.finding for entry in ran.report.findings if entry.finding.cwe == 89]
    assert found.location.path == sink_file
    assert sink in found.evidence
    assert found.flow is not None
    assert found.flow.steps[0].location.path != sink_file
    assert found.proof is not None
    assert found.proof.refuted == ()
    assert {each.guess for each in found.proof.open_points} == {Guess.NO_ANALYST}
    asked = max(
        (each for each in ran.model.questions if "D1 injection" in each.task_text and "a hunter" in each.task_text),
        key=lambda each: each.step,
    )
    made = [call.name for message in asked.messages for call in message.calls]
    assert made.index("grep") < made.index("callers") < len(made) - 1 - made[::-1].index("read")


@pytest.mark.rule("A59")
def test_a_guard_is_on_record_only_as_the_source_has_it(tmp_path: Path, home: Path) -> None:
    tools = tools_for(a_project(tmp_path, "go"), a_model_task(Role.HUNTER, Dimension.D3, Dimension.D8, languages=(Language.GO,)))
    line = 12
    with pytest.raises(ToolRefused, match="was not read"):
        tools.guard("main.go", line, None, Dimension.D3)
    tools.read("main.go")
    with pytest.raises(ToolRefused, match=r"sees no `call requireLogin` at main\.go:14; it sees: "):
        tools.guard("main.go", line, Cited("main.go", 14, "call", "requireLogin"), Dimension.D3)
    with pytest.raises(ToolRefused, match="no entry point"):
        tools.guard("orders.go", 5, None, Dimension.D3)
    with pytest.raises(ToolRefused, match="D8 is not earned this way"):
        tools.guard("main.go", line, None, Dimension.D8)
    tools.guard("main.go", line, Cited("main.go", 14, "call", "findOrders"), Dimension.D3)
    ledger = tools.ledger()
    assert [str(place) for place in ledger.endpoints] == ["main.go:12"]
    assert [(each.dimension, each.complete) for each in ledger.traces] == [(Dimension.D3, True)]


@pytest.mark.rule("A16", "A59")
def test_settings_are_judged_one_by_one_and_what_was_hit_and_left_stays_open(tmp_path: Path, home: Path) -> None:
    root = a_project(tmp_path, "go")
    for name in ("a", "b"):
        text = f'package main\n\nimport "crypto/tls"\n\nvar {name}TLS = &tls.Config{{InsecureSkipVerify: true}}\n'
        (root / f"{name}.go").write_text(text, encoding="utf-8")
    tools = tools_for(root, a_model_task(Role.HUNTER, Dimension.D8, languages=(Language.GO,)))
    tools.grep("InsecureSkipVerify", kind="tls", dimension=Dimension.D8)
    tools.read("a.go")
    with pytest.raises(ToolRefused, match=r"sees no `assign Verify`"):
        tools.setting(Cited("a.go", 5, "assign", "Verify"), "tls", "weak", Dimension.D8)
    tools.setting(Cited("a.go", 5, "assign", "InsecureSkipVerify"), "tls", "weak", Dimension.D8)
    assert [(str(item.location), item.judged) for item in tools.ledger().items] == [("a.go:5", True), ("b.go:1", False)]
