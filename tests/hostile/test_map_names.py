"""Hostile names in a map: routes, rights, settings, addresses, files that carry markup and escapes are text in all three forms
(X4, X11)."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli.command import counterproof

NAMES = {
    "script": "<script>alert({k})</script>", "img": "\"><img src=x onerror=alert({k})>", "svg": "'><svg/onload=alert({k})>",
    "close": "</script><script>alert({k})</script>", "comment": "--><iframe src={k}>", "js": "javascript:alert({k})//",
    "data": "data:text/html,<b>{k}", "osc8": "\x1b]8;;http://evil/{k}\x07c\x1b]8;;\x07", "csi": "\x1b[2J{k}", "c1": "\x9b31m{k}",
    "bidi": "\u202e{k}\u202c", "zero": "a\u200b{k}\u2060", "tags": "{k}\U000e0041", "selector": "{k}\ufe01",
    "line": "{k}\nFAKE {k}",
    "return": "safe\r{k}", "separator": "{k}\u2028", "delete": "\x7f{k}", "markdown": "[{k}](javascript:alert(1)) ![i](http://evil)",
}  # fmt: skip
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0e\U000e0000-\U000e01ef]")
HEAD = (
    "import os, requests\nfrom flask import Flask, make_response, request\nfrom rights import requires\napp = Flask(__name__)\n"
)
ROUTE = """
@app.route({route})
@requires({right})
def view{n}():
    answer = make_response(requests.get({address} + request.args["q"]).text)
    answer.set_cookie({cookie}, os.environ[{setting}])
    open({file} + request.args["f"], "w").write("x")
    return answer
"""


class Active(HTMLParser):
    """Elements and attributes that a name became."""

    def __init__(self) -> None:
        super().__init__()
        self.found = list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if re.search(r"K\d\d[a-z]", value or "") and (name.startswith("on") or name in ("href", "src", "srcdoc", "style")):
                self.found += [] if (value or "").startswith("#") else [f"{tag} {name}={value}"]
        if tag in ("script", "img", "svg", "iframe") and re.search(r"K\d\d[a-z]", str(attrs)):
            self.found.append(f"{tag} {attrs}")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root, parts = tmp_path_factory.mktemp("names"), [HEAD]
    for n, text in enumerate(NAMES.values()):
        named = [text.format(k=f"K{n:02}{letter}") for letter in "abcdef"]
        route, right, address, cookie, setting, file = (ascii(each) for each in (f"/{named[0]}", *named[1:]))
        parts.append(ROUTE.format(n=n, route=route, right=right, address=address, cookie=cookie, setting=setting, file=file))
        (root / (text.format(k=f"K{n:02}g").replace("/", "\u2215") + ".py")).write_text("VALUE = 1\n")
    (root / "app.py").write_text("\n".join(parts))
    return root


@pytest.mark.rule("X4", "X11")
@pytest.mark.parametrize("form", ["terminal", "html", "json"])
def test_a_name_in_a_map_is_text(source: Path, form: str) -> None:
    said = counterproof("map", "--format", form, str(source))
    assert said.returncode == 0, said.stderr
    assert not [line for line in said.stdout.split("\n") if UNSEEN.search(line) or line.startswith("FAKE")]
    if form == "html":
        page = Active()
        page.feed(said.stdout)
        assert page.found == []
    if form == "json":
        assert json.loads(said.stdout)
    for n in range(len(NAMES)):
        assert f"K{n:02}a" in said.stdout  # shown as what it is, and not left out
        assert f"K{n:02}b" in said.stdout
