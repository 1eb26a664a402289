"""Claims without a flow: the value is read again, by its text."""

import pytest
from backward_claims import Judge

from counterproof.model.judgement import Verdict

CONFIRMED, DOWNGRADED, REJECTED = Verdict.CONFIRMED, Verdict.DOWNGRADED, Verdict.REJECTED


@pytest.mark.rule("A38")
@pytest.mark.parametrize(
    ("line", "cwe", "verdict"),
    [
        ("SESSION_COOKIE_SECURE = False", 614, CONFIRMED),
        ("SESSION_COOKIE_SECURE = True", 614, REJECTED),
        ("SESSION_COOKIE_SECURE = compute()", 614, DOWNGRADED),
        ("response.set_cookie('a', 'b')", 1004, CONFIRMED),
        ("response.set_cookie('a', 'b', httponly=True)", 1004, REJECTED),
        ("app.run(debug=True)", 489, CONFIRMED),
        ("app.run(debug=False)", 489, REJECTED),
        ("app.run(debug=os.environ.get('D'))", 489, DOWNGRADED),
        ("digest = hashlib.md5(x)", 328, CONFIRMED),
        ("digest = hashlib.md5(x, usedforsecurity=False)", 328, REJECTED),
        ("digest = hashlib.sha256(x)", 328, DOWNGRADED),
        ("code = random.randint(0, 9)", 338, CONFIRMED),
        ("code = secrets.token_hex()", 338, REJECTED),
        ("SECRET = 'b2x-9kQ4-7fhT'", 798, CONFIRMED),
        ("SECRET = '${SECRET}'", 798, REJECTED),
        ("SECRET = os.environ['SECRET']", 798, DOWNGRADED),
        ("SECRET = read_secret()", 798, REJECTED),
        ("requests.get(url, verify=False)", 295, CONFIRMED),
        ("requests.get(url, verify=True)", 295, REJECTED),
        ("claims = jwt.decode(t, options={'verify_signature': False})", 347, CONFIRMED),
        ("claims = jwt.decode(t, key, algorithms=['HS256'])", 347, REJECTED),
        ("value = something()", 1236, DOWNGRADED),
    ],
)
def test_the_text_is_read_again(judge: Judge, line: str, cwe: int, verdict: Verdict) -> None:
    judgement = judge({"config.py": f"{line}  # HERE\n"}, cwe=cwe)
    assert judgement.counts(4)
    assert judgement.verdict is verdict, [step.reason for step in judgement.validation.steps]


def test_a_value_that_is_replaced_later_is_refuted(judge: Judge) -> None:
    text = "SESSION_COOKIE_SECURE = False  # HERE\nSESSION_COOKIE_SECURE = True\n"
    judgement = judge({"config.py": text}, cwe=614)
    assert judgement.verdict is Verdict.REJECTED
    assert judgement.at is not None
    assert judgement.at.start == 2


def test_a_value_that_another_file_may_replace_is_downgraded(judge: Judge) -> None:
    files = {"config.py": "SESSION_COOKIE_SECURE = False  # HERE\n", "production.py": "SESSION_COOKIE_SECURE = True\n"}
    assert judge(files, cwe=614).verdict is Verdict.DOWNGRADED


@pytest.mark.parametrize(("path", "verdict"), [("examples/app.py", REJECTED), ("settings/development.py", DOWNGRADED)])
def test_code_that_does_not_run_in_production_is_not_confirmed(judge: Judge, path: str, verdict: Verdict) -> None:
    assert judge({path: "DEBUG = True  # HERE\n"}, cwe=489).verdict is verdict


def test_reasons_do_not_repeat_a_secret(judge: Judge) -> None:
    judgement = judge({"config.py": "PASSWORD = 'b2x-9kQ4-7fhT'  # HERE\n"}, cwe=798)
    assert all("b2x-9kQ4" not in step.reason for step in judgement.validation.steps)


@pytest.mark.parametrize(
    ("text", "cwe", "verdict"),
    [
        ("@app.route('/')\ndef wipe():  # HERE\n    db.drop_all()\n", 306, CONFIRMED),
        ("@app.route('/')\n@login_required\ndef wipe():  # HERE\n    db.drop_all()\n", 306, DOWNGRADED),
        ("def take(row):\n    if row['n'] < 3:  # HERE\n        update(row)\n", 362, CONFIRMED),
        ("def take(row):\n    with lock:\n        if row['n'] < 3:  # HERE\n            update(row)\n", 362, REJECTED),
        ("def add():\n    n = int(request.form['n'])  # HERE\n    total = total + n\n", 840, CONFIRMED),
        ("def add():\n    n = int(request.form['n'])  # HERE\n    if n > 9:\n        return\n", 840, REJECTED),
        ("x = re.match('^(a+)+$', text)  # HERE\n", 1333, CONFIRMED),
    ],
)
def test_behaviour_is_read_again(judge: Judge, text: str, cwe: int, verdict: Verdict) -> None:
    assert judge({"app.py": text}, cwe=cwe).verdict is verdict


@pytest.mark.rule("A38")
@pytest.mark.parametrize(
    ("search", "verdict"),
    [
        (r"re.search(r'\s+$', request.args['q'])", CONFIRMED),
        (r"TAIL.search(request.args['q'])", CONFIRMED),
        (r"re.search(r'^\s+', request.args['q'])", REJECTED),
        (r"re.search(chosen, request.args['q'])", DOWNGRADED),
        (r"re.search(r'\s+$', 'fixed text')", REJECTED),
    ],
)
def test_only_a_slow_pattern_makes_a_search_a_sink(judge: Judge, search: str, verdict: Verdict) -> None:
    start = "import re\nfrom flask import Flask, request\napp = Flask(__name__)\nTAIL = re.compile(r'\\s+$')\n\n"
    text = f"{start}@app.get('/')\ndef found():\n    return str(bool({search}))  # HERE\n"
    assert judge({"app.py": text}, cwe=1333).verdict is verdict


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("{% autoescape off %}\n<p>\n{{ x }} {# HERE #}\n</p>{% endautoescape %}", "off from line 1 on"),
        ("{% autoescape off %}a{% endautoescape %}\n{{ x }} {# HERE #}", "does not switch escaping off"),
        ("{%- autoescape false %}{% autoescape on %}\n{{ x }} {# HERE #}", "does not switch escaping off"),
        ("{{ x|safe }} {# HERE #}", "escaping is off at"),
    ],
)
def test_escaping_that_is_off_around_a_place_is_seen(judge: Judge, page: str, said: str) -> None:
    judgement = judge({"page.html": page, "app.py": "import flask\n"}, cwe=79)
    assert any(said in step.reason for step in judgement.validation.steps), [step.reason for step in judgement.validation.steps]
