"""What carries untrusted data on, and what does not: one statement at a time."""

from collections.abc import Callable

import pytest

Reaches = Callable[[str], bool]

CARRIES = {
    "directly": "os.system(x)",
    "plus": "os.system('a' + x)",
    "percent": "os.system('a %s' % x)",
    "percent with a tuple": "os.system('%s %s' % ('a', x))",
    "format": "os.system('{}'.format(x))",
    "f-string": "os.system(f'a {x!r:>10}')",
    "join": "os.system(' '.join(['a', x]))",
    "augmented": "y = 'a'\ny += x\nos.system(y)",
    "slice": "os.system(x[1:-1])",
    "text methods": "os.system(x.strip().lower().replace('a', 'b'))",
    "encoding there and back": "import base64\nos.system(base64.b64decode(base64.b64encode(x.encode())).decode())",
    "destructuring": "a, (b, c) = 1, (2, x)\nos.system(c)",
    "starred destructuring": "a, *b = [1, x]\nos.system(b[0])",
    "list element": "items = ['a', x]\nos.system(items[1])",
    "popped element": "items = ['a', x]\nitems.pop(0)\nos.system(items[0])",
    "mapping element": "d = {'a': x}\nos.system(d['a'])",
    "mapping update": "d = {}\nd.update(k=x)\nos.system(d.get('k'))",
    "mapping over defaults": "import json\nd = {**{'a': 'b'}, **json.loads(x)}\nos.system(d['a'])",
    "update over defaults": "import json\nd = {'a': 'b'}\nd.update(json.loads(x))\nos.system(d['a'])",
    "mapping values": "d = {'a': x}\nfor v in d.values():\n    os.system(v)",
    "mapping items": "d = {'a': x}\nfor k, v in d.items():\n    os.system(v)",
    "comprehension": "os.system([y + 'a' for y in [x]][0])",
    "generator": "os.system(next(y for y in [x]))",
    "loop": "for y in x.split(','):\n    os.system(y)",
    "enumerate": "for i, y in enumerate([x]):\n    os.system(y)",
    "second round of a loop": "y = 'a'\nfor i in range(3):\n    os.system(y)\n    y = x",
    "while": "y = 'a'\nwhile y:\n    y = x\n    break\nos.system(y)",
    "conditional": "os.system(x if x else 'a')",
    "or": "os.system(x or 'a')",
    "one branch": "y = 'a'\nif len(x) > 3:\n    y = x\nos.system(y)",
    "try": "try:\n    y = x\nexcept ValueError:\n    y = 'a'\nos.system(y)",
    "handler": "try:\n    y = 'a'\nexcept ValueError:\n    y = x\nos.system(y)",
    "finally": "y = x\ntry:\n    pass\nfinally:\n    os.system(y)",
    "with": "with open('f') as f:\n    os.system(x)",
    "walrus": "if (y := x):\n    os.system(y)",
    "match": "match len(x):\n    case 1:\n        y = x\n    case _:\n        y = 'a'\nos.system(y)",
    "global alias": "run = os.system\nrun(x)",
    "reflection with a constant name": "getattr(os, 'system')(x)",
    "configuration parser": (
        "import configparser\nc = configparser.ConfigParser()\nc.add_section('s')\nc.set('s', 'k', x)\nos.system(c.get('s', 'k'))"
    ),
}

STOPS = {
    "overwritten": "x = 'a'\nos.system(x)",
    "other element": "items = ['a', x]\nos.system(items[0])",
    "other key": "d = {'a': x, 'b': 'c'}\nos.system(d['b'])",
    "defaults over a mapping": "import json\nd = {**json.loads(x), 'a': 'b'}\nos.system(d['a'])",
    "known mapping over defaults": "d = {**{'a': 'b'}, **{'c': x}}\nos.system(d['a'])",
    "looked up": "os.system({'a': 'ls'}[x])",
    "length": "os.system('a' * len(x))",
    "comparison": "os.system(str(x == 'a'))",
    "number": "os.system('a' + str(int(x)))",
    "hash": "import hashlib\nos.system(hashlib.sha256(x.encode()).hexdigest())",
    "dead branch": "y = 'a'\nif 1 + 1 > 3:\n    y = x\nos.system(y)",
    "dead conditional": "y = 86\nos.system('a' if 7 * 18 + y > 200 else x)",
    "dead text branch": "y = 'safe text'\nif 'text' not in y:\n    y = x\nos.system(y)",
    "dead case": "k = 'ABC'[1]\nmatch k:\n    case 'A':\n        y = x\n    case 'B':\n        y = 'b'\nos.system(y)",
    "after return": "return {}\nos.system(x)",
    "deleted and set again": "del x\nx = 'a'\nos.system(x)",
    "equal to a literal": "if x == 'ls':\n    os.system(x)",
}


@pytest.mark.parametrize("body", CARRIES.values(), ids=CARRIES.keys())
def test_data_is_carried_on(reaches: Reaches, body: str) -> None:
    assert reaches(body)


@pytest.mark.parametrize("body", STOPS.values(), ids=STOPS.keys())
def test_data_is_not_carried_on(reaches: Reaches, body: str) -> None:
    assert not reaches(body)
