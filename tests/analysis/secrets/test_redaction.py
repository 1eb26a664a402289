"""No secret leaves, the same secret leaves the same mark, and redacting twice changes nothing."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.analysis.secrets.redaction import mark, quote, redact
from counterproof.analysis.secrets.secret_names import Kind

LIVE = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
CLOUD = "AKIA" + "Q3EGUVXK2MTP5ABC"
CODE_HOST = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
WEB_TOKEN = "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJ" + "zdWIiOiIxMjM0In0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"


@pytest.mark.rule("X17")
@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ('SECRET_KEY = "hunter two"', "hunter two"),
        ("app.config['SECRET_KEY'] = 'x9'", "x9"),
        ('connect(user="a", password="zq7", host="c")', "zq7"),
        ('{"api_key": "abc", "x": 1}', "abc"),
        ("password: str = 'q1'", "q1"),
        ("if password == 'dsv':", "dsv"),
        ("DB_PASSWORD=hunter2!", "hunter2!"),
        ("password: hunter22", "hunter22"),
        ("url = 'postgres://me:s3cr3t@db/x'", "s3cr3t"),
        ("<password>Y3RF</password>", "Y3RF"),
        (f"x = f('{LIVE}')", LIVE),
        (f"id {CLOUD} end", CLOUD),
        (f"header: {CODE_HOST}", CODE_HOST),
        (f"example {WEB_TOKEN}", WEB_TOKEN),
        (
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
        ),
    ],
)
def test_secrets_are_replaced_by_their_mark(line: str, secret: str) -> None:
    shown = redact(line)
    assert secret not in shown
    assert any(mark(secret, kind) in shown for kind in Kind)
    assert redact(shown) == shown
    assert redact("  " + line).strip() == shown


@pytest.mark.parametrize(
    "line",
    [
        "password = request.form['password']",
        "token = get_token()",
        "password=password, token=self.token",
        "SECRET_KEY = os.environ['SECRET_KEY']",
        "password: ${{ secrets.PASSWORD }}",
        "api_key = settings.api_key",
        "label = 'Password'",
        "keyword = 'abc'",
        "https://example.org/a?b=c",
        "curl 'http://localhost:8000/search?q=%3Cscript%3Ealert%281%29%3C%2Fscript%3E'",
        "curl 'http://localhost:8000/a?q=%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E'",
        "uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd",
    ],
)
def test_code_stays_readable(line: str) -> None:
    assert redact(line) == line


@pytest.mark.parametrize("path", ["", "schema.sql", "db.py"])
def test_the_columns_of_a_table_are_no_rows_of_secrets(path: str) -> None:
    columns = "    password_hash TEXT NOT NULL,\n    access_token TEXT NOT NULL,\n    refresh_token TEXT,\n"
    made = f"CREATE TABLE users (\n{columns}    expires_at TEXT\n);\n"
    text = f'db.execute("""\n{made}""")\n' if path.endswith("py") else made
    assert redact(text, path) == text
    assert "hunter22x" not in redact("user,password,\nbob,hunter22x,\n")


def test_a_mark_is_stable_and_short() -> None:
    assert mark("a") == mark("a") != mark("b")
    assert re.fullmatch(r"‹secret:[0-9a-f]{8} password 3›", mark("abc", Kind.PASSWORD))


def test_lines_keep_their_number_and_are_judged_alone() -> None:
    text = "a = 1\nSECRET_KEY = 'x'\n\nb = 2"
    assert redact(text) == "\n".join(redact(line) for line in text.split("\n"))


@given(st.text(max_size=300))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
    assert once.count("\n") == text.count("\n")


@given(st.text(alphabet="abc019 '\"=:,(){}[]<>_-/@.", max_size=120), st.sampled_from(["password", "api_key", "x", "SECRET_KEY"]))
def test_redacting_twice_changes_nothing_near_secrets(noise: str, name: str) -> None:
    once = redact(f"{name} = '{noise}' {name}: {noise}")
    assert redact(once) == once


def test_a_quote_never_holds_the_secret() -> None:
    shown = mark("SuperSecret", Kind.PASSWORD)
    assert quote("  users = [('admin', 'SuperSecret')]", "SuperSecret") == f"users = [('admin', '{shown}')]"
    assert quote("SECRET_KEY = 'abc'", "abc") == f"SECRET_KEY = '{mark('abc')}'"
    assert quote("  'SuperSecret',", "SuperSecret") == ""
    assert quote("x = 1", "") == "x = 1"


@pytest.mark.rule("X16")
@pytest.mark.parametrize(
    "line", ["a-" * 60_000, "eyJ-" * 40_000, 'password="' * 15_000, "http://a:" * 15_000, "x" * 300_000, "a." * 60_000]
)
def test_no_line_stalls_redaction(line: str) -> None:
    """What backtracks would take hours; processor time, because a busy machine is no reason to fail."""
    started = time.process_time()
    redact(line)
    assert time.process_time() - started < 30


@pytest.mark.rule("X17", "X22")
def test_a_key_of_a_providers_documentation_is_hidden_too() -> None:
    assert "AKIAIOSFODNN7EXAMPLE" not in redact('key = "AKIAIOSFODNN7EXAMPLE"')
