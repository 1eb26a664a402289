"""The checker against small sources in every language: true facts hold, false ones are refuted (A53, A55)."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from counterproof.analysis import facts
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.fact import Fact, Operation
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, Guess, Link, Part, Proof, Shape

Open = Callable[[dict[str, str]], Project]

SOURCES = {
    "app.py": """\
        import os
        from flask import request
        NAME = "x"
        @guarded
        def run(first, second=1):
            value = request.args["id"]
            if value == first:
                raise ValueError(value)
            text = "a" + value
            os.system(f"ls {text}")
            return text
        """,
    "app.js": """\
        const { exec } = require("child_process");
        import thing from "./thing.js";
        class Shop { list(req) { return req.query.id; } }
        const run = (req, res) => exec(`ls ${req.body.name}`);
        if (run !== exec) { throw new Error("x"); }
        """,
    "app.ts": """\
        @Controller("x")
        export class Shop {
          private key: string = "k";
          run(@Body() body: Body) { return this.db.query("select " + body.id); }
        }
        """,
    "Main.java": """\
        import java.io.File;
        class Main {
          @GetMapping("/x")
          String run(String id) { String q = "a" + id; if (id.equals(q)) { throw new E(q); } return db.query(q); }
        }
        """,
    "main.go": """\
        package main
        import "os/exec"
        func run(id string) error { q := "a" + id; if id == q { return nil }; return exec.Command("sh", q).Run() }
        """,
    "main.php": """\
        <?php
        function run($id) { $q = "a" . $id; if ($id === $q) { throw new E(); } return $db->query($q); }
        """,
    "main.rb": """\
        def run(id)
          q = "a" + id
          raise "x" if id == q
          system(q)
          return q
        end
        """,
    "given.py": """\
        def find(name, query=None, folder: str = "x"):
            return BASE / name
        """,
    "long.py": """\
        find(f'''SELECT a
        FROM b WHERE c = {name}''',
             '''plain
        text''')
        """,
    "long.ts": """\
        find(`SELECT a
        FROM b WHERE c = ${name}`, `plain
        text`);
        """,
    "given.ts": """\
        export const find = (query: Partial<Q> = {}, { page = 1, size } = {}, name?: string) => query;
        """,
    "settings.yml": "debug: true\nhost: example\n",
}

TRUE = """
app.py 1 import os | app.py 2 import flask | app.py 3 assign NAME | app.py 3 literal | app.py 4 decorate guarded
app.py 5 define run | app.py 5 parameter second | app.py 6 assign value | app.py 6 read args | app.py 6 read request.args
app.py 6 read id | app.py 7 compare value | app.py 7 branch first | app.py 8 raise value | app.py 9 build value | app.py 10 build
app.py 10 call os.system | app.py 10 call system | app.py 11 return text
app.js 1 import child_process | app.js 2 import ./thing.js | app.js 3 define list | app.js 3 parameter req
app.js 3 return req.query.id | app.js 4 assign run | app.js 4 call exec | app.js 4 build name | app.js 4 return exec
app.js 5 compare exec | app.js 5 raise Error
app.ts 1 decorate Controller | app.ts 2 define Shop | app.ts 3 assign key | app.ts 4 parameter body | app.ts 4 call db.query
app.ts 4 build body.id
Main.java 1 import File | Main.java 3 decorate GetMapping | Main.java 4 parameter id | Main.java 4 assign q | Main.java 4 build id
Main.java 4 branch id | Main.java 4 raise q | Main.java 4 call db.query | Main.java 4 return q
main.go 3 define run | main.go 3 parameter id | main.go 3 assign q | main.go 3 build id | main.go 3 compare q
main.go 3 call exec.Command | main.go 3 return q
main.php 2 define run | main.php 2 parameter id | main.php 2 assign q | main.php 2 compare id | main.php 2 raise
main.php 2 call query | main.php 2 return q
main.rb 1 define run | main.rb 1 parameter id | main.rb 2 assign q | main.rb 2 build id | main.rb 3 branch id
main.rb 4 call system | main.rb 5 return q
given.py 1 assign query | given.py 1 assign folder | given.py 2 build name | given.ts 1 assign query | given.ts 1 assign page
long.py 1 build name | long.py 2 build name | long.ts 1 build | long.ts 2 build name
settings.yml 1 mention debug
"""

FALSE = """
app.py 10 call os.popen | app.py 10 call run | app.py 9 call system | app.py 6 assign args | app.py 3 call NAME
app.py 7 raise value | app.py 5 parameter third | app.py 8 return value | app.py 2 import os
app.py 11 compare text | app.py 900 call system
app.js 4 call query | app.js 5 define run | app.js 3 build id | app.ts 4 decorate Controller | Main.java 4 call save
main.go 3 call exec.Start | main.php 2 call save | main.rb 4 call exec | gone.py 1 call system
given.py 1 assign name | given.py 2 assign name | given.ts 1 assign name
long.py 3 build | long.py 1 build other | long.ts 3 build
settings.yml 1 mention host | settings.yml 1 assign debug | app.py 3 mention NAME
"""


def stated(table: str) -> list[Fact]:
    rows = [row.split() for line in table.strip().splitlines() for row in line.split("|")]
    return [Fact(at(row[0], int(row[1])), Operation(row[2]), row[3] if len(row) > 3 else "") for row in rows]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def write(files: dict[str, str]) -> Project:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(dedent(text), "utf-8")
        return Project(tmp_path, survey(tmp_path))

    return write


@pytest.mark.rule("A53", "A55")
@pytest.mark.parametrize("fact", stated(TRUE), ids=str)
def test_what_the_syntax_has_holds(opened: Open, fact: Fact) -> None:
    assert facts.holds(opened(SOURCES), fact)


@pytest.mark.rule("A53", "A55")
@pytest.mark.parametrize("fact", stated(FALSE), ids=str)
def test_what_the_syntax_does_not_have_is_refuted(opened: Open, fact: Fact) -> None:
    assert not facts.holds(opened(SOURCES), fact)


FLOW_FILES = {
    "web.py": """\
        from flask import request
        import store
        def show():
            name = request.args["name"]
            return store.find(name)
        """,
    "store.py": """\
        def find(key):
            query = "select " + key
            return db.execute(query)
        def other(key):
            return db.execute(key)
        """,
}


def proof_of(*places: str) -> Proof:
    """Places such as `web.py:4 read args`; the first is the entry and the last the sink."""
    parts = [Part.ENTRY, *[Part.STEP] * (len(places) - 2), Part.SINK]
    rows = [place.replace(":", " ").split() for place in places]
    stated_facts = [Fact(at(row[0], int(row[1])), Operation(row[2]), row[3]) for row in rows]
    return Proof(Shape.FLOW, tuple(Link(part, fact) for part, fact in zip(parts, stated_facts, strict=True)))


WHOLE = ("web.py:4 read args", "web.py:5 call find", "store.py:2 build key", "store.py:3 call execute")


@pytest.mark.rule("A55", "A59")
def test_a_flow_is_followed_hop_by_hop(opened: Open) -> None:
    proof = facts.checked(opened(FLOW_FILES), proof_of(*WHOLE))
    assert proof.whole
    assert proof.whole


@pytest.mark.rule("A55", "A59")
def test_a_hop_that_the_text_does_not_show_is_an_assumption(opened: Open) -> None:
    proof = facts.checked(opened(FLOW_FILES), proof_of("web.py:4 read args", "store.py:5 call execute"))
    assert [each.guess for each in proof.open_points] == [Guess.UNRESOLVED_CALL]
    assert not proof.whole


@pytest.mark.rule("A55", "A59")
@pytest.mark.parametrize(
    ("helper", "seen"),
    [
        ("function run(line) {\n  return new Promise((done) => {\n    exec(line, done);\n  });\n}\n", True),
        ("const all = {\n\n  run: (line) => exec(line),\n};\n", True),
        ("function other(line) {\n  return new Promise((done) => {\n    exec(line, done);\n  });\n}\n", False),
    ],
)
def test_a_function_sees_what_the_one_around_it_was_given(opened: Open, helper: str, seen: bool) -> None:
    files = {"web.js": f"{helper}function handler(req) {{\n  return run(req.body);\n}}\n"}
    line = helper.count("\n") + 2
    proof = facts.checked(opened(files), proof_of(f"web.js:{line} read body", "web.js:3 call exec"))
    assert not proof.refuted
    assert bool(proof.open_points) is not seen


@pytest.mark.rule("A55", "A59")
@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("return render(request, 'shop/page.html', given)", True),
        ("return res.render('page')", True),
        ("return render(request, 'other_page.html', given)", False),
        ("return render(request, chosen, given)", False),
    ],
)
def test_data_gets_into_a_page_that_the_function_names(opened: Open, body: str, seen: bool) -> None:
    files = {"views.py": f"def show(request):\n    given = request.args\n    {body}\n", "shop/page.html": "<p>{{ given }}</p>\n"}
    proof = facts.checked(opened(files), proof_of("views.py:2 read args", "shop/page.html:1 mention given"))
    assert not proof.refuted
    assert bool(proof.open_points) is not seen


@pytest.mark.rule("A55")
def test_a_fact_that_does_not_hold_is_named(opened: Open) -> None:
    proof = facts.checked(opened(FLOW_FILES), proof_of("web.py:4 read args", "web.py:5 call remove", "store.py:3 call execute"))
    assert [str(each) for each in proof.refuted] == ["call remove at web.py:5"]
    assert not proof.whole


@pytest.mark.rule("A55")
def test_nobody_checks_their_own_proof(opened: Open) -> None:
    """What a finder writes into the checker's fields is not believed."""
    lie = Proof(
        Shape.FLOW,
        (
            Link(Part.ENTRY, Fact(at("web.py", 4), Operation.READ, "args")),
            Link(Part.SINK, Fact(at("web.py", 5), Operation.CALL, "x")),
        ),
        checked=True,
    )
    assert facts.checked(opened(FLOW_FILES), lie).refuted


ENTRY = Link(Part.ENTRY, Fact(Location("a.py", 1, 1), Operation.READ, "args"))
SINK = Link(Part.SINK, Fact(Location("a.py", 2, 2), Operation.CALL, "execute"))
GUESS = Assumption(Guess.UNKNOWN_RECEIVER, "db")
OTHER = Assumption(Guess.UNKNOWN_REACH)


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("proof", "left"),
    [
        (Proof(Shape.FLOW, (ENTRY, SINK)), 0),
        (Proof(Shape.FLOW, (ENTRY, SINK), checked=True), 0),
        (Proof(Shape.FLOW, (ENTRY, SINK), assumptions=(GUESS,), checked=True), 1),
        (Proof(Shape.FLOW, (ENTRY, SINK), assumptions=(GUESS, OTHER), checked=True), 2),
        (Proof(Shape.FLOW, (SINK,), checked=True), 1),
        (Proof(Shape.FLOW, (SINK,), assumptions=(GUESS,), checked=True), 2),
        (Proof(Shape.FLOW, (ENTRY, SINK), checked=True, refuted=(SINK.fact, ENTRY.fact)), 2),
    ],
)
def test_every_open_point_counts_and_a_proof_without_one_is_whole(proof: Proof, left: int) -> None:
    assert (len(proof.open_points), proof.whole) == (left, proof.checked and not left)
