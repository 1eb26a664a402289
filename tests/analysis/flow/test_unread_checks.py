"""Evidence that a severity needs: a way that no unread check stands on, a yield that is not the sender's own, a login that a link
brings along (A55)."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination
from counterproof.model.proof import Guess

LookAt = Callable[[dict[str, str]], Examination]

ROUTE = """
const express = require('express');
const fs = require('fs');
const {{ Store, belongsHere, cache, log, validate }} = require('./store');
const app = express();
app.get('/files', async (req, res) => {{
  const name = req.query.name;
{between}
  res.json(fs.readFileSync('/data/' + name, 'utf8'));
}});
"""
FROM_A_ROW = "  const row = await Store.findOne({ name });\n  if (!row) {\n    return res.status(404).end();\n  }"
CHECKED = "  if (!belongsHere(name)) {\n    return res.status(403).end();\n  }"
CACHED = "  const known = cache.get(name);\n  if (known) {\n    return res.json(known);\n  }"
THERE = "  if (!name) {\n    return res.end();\n  }\n  if (!fs.existsSync('/data/' + name)) {\n    return res.end();\n  }"
ANSWERED = "  const safe = validate(name);\n  if (!safe) {\n    return res.status(403).end();\n  }"
OF_ANOTHER = "  const user = await Store.findOne({ id: req.session.id });\n  if (!user) {\n    return res.status(401).end();\n  }"


def _guesses(found: Examination, rule: str) -> list[set[Guess]]:
    proofs = [each.proof for each in found.findings if each.rule == rule]
    return [{each.guess for each in proof.assumptions} if proof else set() for proof in proofs]


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("between", "open_"),
    [
        (FROM_A_ROW, True),
        (CHECKED, True),
        (ANSWERED, True),
        (CACHED, False),
        (THERE, False),
        (OF_ANOTHER, False),
        ("  log(name);", False),
    ],
    ids=["looked-up", "checked", "answered", "cached", "is-it-there", "somebody-else", "nothing"],
)
def test_a_check_that_nobody_understood_leaves_the_way_open(look_at: LookAt, between: str, open_: bool) -> None:
    found = look_at({"app.js": ROUTE.format(between=between)})
    assert [{Guess.UNSEEN_GUARD, Guess.BROKEN_FLOW} <= each for each in _guesses(found, "javascript-path-traversal")][-1] is open_


RUNS = """
const express = require('express');
const {{ exec }} = require('child_process');
const {{ belongsHere }} = require('./store');
const app = express();
function run(name) {{
  exec('ls ' + name);
}}
app.get('/checked', (req, res) => {{
  const name = req.query.name;
  if (!belongsHere(name)) {{
    return res.status(403).end();
  }}
  run(name);
}});
{more}
"""
ANOTHER_WAY = "app.get('/unchecked', (req, res) => {\n  run(req.query.name);\n});"


@pytest.mark.rule("A55")
@pytest.mark.parametrize(("more", "open_"), [("", True), (ANOTHER_WAY, False)], ids=["one-way", "a-way-around"])
def test_where_everything_is_at_stake_such_a_check_leaves_one_point_open(look_at: LookAt, more: str, open_: bool) -> None:
    found = _guesses(look_at({"app.js": RUNS.format(more=more)}), "javascript-command-injection")
    assert found == [{Guess.UNSEEN_GUARD} if open_ else set()]


QUERY = """
const express = require('express');
const mongoose = require('mongoose');
const User = mongoose.model('User', new mongoose.Schema({{ name: String }}));
const app = express();
app.use(express.json());
app.post('/users', {guard}async (req, res) => {{
  res.json(await User.findOne({{ {filter} }}));
}});
"""


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("filter_", "open_"),
    [("name: req.body.name", True), ("name: req.body.name, password: req.body.password", False), ("$where: req.body.x", False)],
    ids=["a-name", "a-secret", "a-script"],
)
def test_an_operator_yields_what_the_filter_keeps_secret(look_at: LookAt, filter_: str, open_: bool) -> None:
    found = look_at({"app.js": QUERY.format(filter=filter_, guard="")})
    assert {{Guess.UNKNOWN_USE, Guess.MEANT_OPEN} <= each for each in _guesses(found, "javascript-nosql-injection")} == {open_}


TOOLS = """
from mcp.server.fastmcp import FastMCP
import os
mcp = FastMCP("files")

@mcp.tool()
def read(name: str):
    return open(name).read()

@mcp.tool()
def run(command: str):
    os.system(command)
"""


@pytest.mark.rule("A55")
def test_what_a_tool_yields_may_be_meant_but_for_everything(look_at: LookAt) -> None:
    found = look_at({"server.py": TOOLS})
    assert [Guess.MEANT_OPEN in each for each in _guesses(found, "path-traversal")] == [True]
    assert [Guess.MEANT_OPEN in each for each in _guesses(found, "command-injection")] == [False]


def test_named_arguments_in_a_mapping_are_no_template(look_at: LookAt) -> None:
    code = "import bottle\ndef page(**more):\n    named = {'t': 1}\n    named.update(more)\n"
    code += "    return bottle.template('page.tpl', **named)\n"
    route = "\n@bottle.get('/x')\ndef x():\n    return page(text=bottle.request.query.text)\n"
    assert [each.rule for each in look_at({"app.py": code + route}).findings if each.rule == "template-injection"] == []
    harmful = "\n@bottle.get('/y')\ndef y():\n    return bottle.template('a' + bottle.request.query.text, **{'t': 1})\n"
    found = look_at({"app.py": code + harmful})
    assert [each.rule for each in found.findings if each.rule == "template-injection"] == ["template-injection"]


SHOWN = """
const express = require('express');
const jwt = require('jsonwebtoken');
const app = express();
function auth(req, res, next) {{
  try {{
    req.user = jwt.verify({sent}, process.env.KEY);
  }} catch (error) {{
    return res.status(401).end();
  }}
  next();
}}
app.get('/shown', auth, (req, res) => {{
  res.send('<p>' + req.query.text + '</p>');
}});
"""


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("sent", "open_"), [("req.headers.authorization", True), ("req.cookies.token", False)], ids=["a-header", "a-cookie"]
)
def test_markup_behind_a_login_needs_a_login_that_a_link_brings_along(look_at: LookAt, sent: str, open_: bool) -> None:
    kept = "const session = require('express-session');\nmodule.exports = session({ secret: process.env.SECRET });\n"
    found = look_at({"app.js": SHOWN.format(sent=sent), "kept.js": kept})
    assert [{Guess.UNKNOWN_REACH, Guess.UNKNOWN_CALLER} <= each for each in _guesses(found, "javascript-xss")] == [open_]
