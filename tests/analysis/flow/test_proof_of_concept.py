"""The request that shows a weakness takes the way of the data: path, query or a field of the body; the advice fits the line."""

import pytest

from counterproof.analysis.flow.findings import proof, remedy_for
from counterproof.analysis.flow.values import Source
from counterproof.analysis.ruleset import rule_info
from counterproof.model.location import Location
from counterproof.model.recon import EntryKind, EntryPoint


@pytest.mark.parametrize(
    ("method", "path", "line", "words"),
    [
        ("POST", "/convert", "run('pandoc ' + body.file)", """-d '{"file": "; id"}'"""),
        ("PUT", "/convert", 'run("pandoc " + body["file"])', """-d '{"file": "; id"}'"""),
        ("POST", "/convert", "run('pandoc ' + body.get('file'))", """-d '{"file": "; id"}'"""),
        ("POST", "/convert", "run('pandoc ' + other.body.file)", "/convert?body=%3B%20id"),
        ("POST", "/convert", "run('pandoc ' + body.trim())", "/convert?body=%3B%20id"),
        ("POST", "/convert/{body}", "run('pandoc ' + body.file)", "/convert/%3B%20id"),
        ("GET", "/convert", "run('pandoc ' + body.file)", "/convert?body=%3B%20id"),
    ],
)
def test_proof_of_concept_for_a_body_field_sends_a_request_body(method: str, path: str, line: str, words: str) -> None:
    entry = EntryPoint(EntryKind.HTTP, method, path, Location("a.ts", 1, 1), "convert")
    shown, reason = proof(Source("path", "parameter body", "body", "a.ts", 1), "; id", entry, (line,))
    assert words in shown
    assert not reason


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ('cursor.execute("SELECT * FROM t ORDER BY " + column)', True),
        ('cursor.execute(f"SELECT * FROM {table} WHERE id = 1")', True),
        ('cursor.execute("SELECT * FROM %s" % table)', True),
        ("db.query(`SELECT * FROM t ORDER BY ${column}`)", True),
        ('cursor.execute("SELECT * FROM t WHERE name = \'" + name + "\'")', False),
        ('cursor.execute(f"SELECT * FROM t WHERE id = {number}")', False),
        ("cursor.execute(query)", False),
    ],
)
def test_remedy_for_identifiers_in_sql_is_not_a_parameter(code: str, named: bool) -> None:
    assert ("fixed list" in remedy_for(rule_info("sql-injection"), code)) is named
