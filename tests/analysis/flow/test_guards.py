"""Checks stop data only where they dominate the sink, and only for the value they check."""

from collections.abc import Callable

import pytest

from counterproof.analysis.flow.patterns import stays_on_site

Reaches = Callable[[str], bool]

GUARDED = {
    "list, then return": "if x not in ('a', 'b'):\n    return {}\nos.system(x)",
    "list, then raise": "if x not in {'a', 'b'}:\n    raise ValueError\nos.system(x)",
    "list, then abort": "from flask import abort\nif x not in ['a']:\n    abort(400)\nos.system(x)",
    "inside the branch": "if x in ('a', 'b'):\n    os.system(x)",
    "lower case": "if x.lower() in ('a', 'b'):\n    os.system(x)",
    "conjunction": "if len(x) < 5 and x in ('a', 'b'):\n    os.system(x)",
    "disjunction of literals": "if x == 'a' or x == 'b':\n    os.system(x)",
    "negated disjunction": "if not x or x not in ('a', 'b'):\n    return {}\nos.system(x)",
    "assert": "assert x in ('a', 'b')\nos.system(x)",
    "digits": "if x.isdigit():\n    os.system(x)",
    "every character": "if all(c.isalnum() for c in x):\n    os.system(x)",
    "full match": "import re\nif re.fullmatch(r'[a-z]+', x):\n    os.system(x)",
    "anchored match": "import re\nif not re.match(r'^[0-9a-f]{8}$', x):\n    return {}\nos.system(x)",
    "alias": "y = x\nif y not in ('a',):\n    return {}\nos.system(x)",
    "number or handler": "try:\n    int(x)\nexcept ValueError:\n    return {}\nos.system(x)",
    "continue": "for y in [x]:\n    if y not in ('a',):\n        continue\n    os.system(y)",
    "conditional expression": "os.system(x if x in ('a',) else 'a')",
    "comprehension condition": "os.system(' '.join([y for y in [x] if y.isalnum()]))",
    "isinstance": "if isinstance(x, int):\n    os.system(x)",
    "guard in a function": (
        "def good(v):\n    if len(v) > 9:\n        return False\n    return v in ('a', 'b')\n"
        "if not good(x):\n    return {}\nos.system(x)"
    ),
    "function that raises": "def need(v):\n    if v not in ('a',):\n        raise ValueError\n    return v\nos.system(need(x))",
    "the same question again": "if request.args.get('x') in ('a', 'b'):\n    os.system(request.args.get('x'))",
    "the same question after a way out": "if request.args.get('x') not in ('a',):\n    return\nos.system(request.args.get('x'))",
    "the same question in a function": (
        "def good(v):\n    return v in ('a', 'b')\nif good(request.args.get('x')):\n    os.system(request.args.get('x'))"
    ),
    "escaping": "import shlex\nos.system('ls ' + shlex.quote(x))",
}

UNGUARDED = {
    "after the sink": "os.system(x)\nif x not in ('a',):\n    return {}",
    "in the other branch": "if x in ('a',):\n    pass\nelse:\n    os.system(x)",
    "another question": "if request.args.get('y') in ('a', 'b'):\n    os.system(request.args.get('x'))",
    "the same question to another part": "if request.form.get('x') in ('a', 'b'):\n    os.system(request.args.get('x'))",
    "the same question, no exit": "if request.args.get('x') in ('a',):\n    print(1)\nos.system(request.args.get('x'))",
    "the same question to a container": "d = {'x': 'a'}\nif d.get('x') in ('a',):\n    d['x'] = x\n    os.system(d.get('x'))",
    "no exit": "if x not in ('a',):\n    print(x)\nos.system(x)",
    "of another value": "y = request.args['y']\nif y not in ('a',):\n    return {}\nos.system(x)",
    "one of two ways": "if len(x) > 3 or x in ('a',):\n    os.system(x)",
    "a part only": "if x[0] in ('a',):\n    os.system(x)",
    "substring": "if x in 'abc':\n    os.system(x)",
    "list from the sender": "if x in request.args.getlist('allowed'):\n    os.system(x)",
    "loose pattern": "import re\nif re.match(r'[a-z]+', x):\n    os.system(x)",
    "pattern with a dot": "import re\nif re.fullmatch(r'.+', x):\n    os.system(x)",
    "escaped, then unescaped": "import shlex, urllib.parse\nos.system(urllib.parse.unquote(shlex.quote(x)))",
    "escaping for something else": "import html\nos.system(html.escape(x))",
    "changed after the check": "if x not in ('a',):\n    return {}\nx = request.args['y']\nos.system(x)",
    "length": "if len(x) > 10:\n    return {}\nos.system(x)",
}


@pytest.mark.parametrize("body", GUARDED.values(), ids=GUARDED.keys())
def test_guard_that_dominates_the_sink_stops_it(reaches: Reaches, body: str) -> None:
    assert not reaches(body)


@pytest.mark.parametrize("body", UNGUARDED.values(), ids=UNGUARDED.keys())
def test_guard_that_does_not_dominate_or_fit_does_not_stop_it(reaches: Reaches, body: str) -> None:
    assert reaches(body)


@pytest.mark.parametrize(
    ("pattern", "from_start", "stays"),
    [
        (r"^/[a-z]+", True, True),
        (r"/[a-z]+", True, True),
        (r"/[a-z]+", False, False),
        (r"^/[^/\\\\]", False, True),
        (r"^\/\w", True, True),
        (r"^/home", True, True),
        (r"^/", True, False),
        (r"^/.*", True, False),
        (r"^/[a-z]*", True, False),
        (r"^/[a-z]?x", True, False),
        (r"^/[^a]", True, False),
        (r"^/a|b", True, False),
        (r"^[a-z]+", True, False),
    ],
)
def test_patterns_that_keep_an_address_on_this_site(pattern: str, from_start: bool, stays: bool) -> None:
    assert stays_on_site(pattern, from_start=from_start) is stays
