"""Small programs in which a part of a request (`IN`) reaches a shell, each written in another way: found in every one of them,
and in none once the part is a number.

`script_shapes/bodies.txt` holds the bodies of one handler, a line each, `programs.txt` whole programs, each after a line
`=== name`; `// file: PATH` begins a file, `// express` stands for the first lines of one. `harmless.txt` holds programs that
check what they are sent. `INQ` is `IN` where the request is called `question`. What is known to be missed
stands in `MISSED`, with the reason; an entry that is no longer needed makes the test fail.
"""

import re
from pathlib import Path

from counterproof.analysis import flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey

HOME = Path(__file__).parent / "script_shapes"
HEAD = 'const express = require("express");\nconst { exec } = require("child_process");\nconst app = express();\n'
RULES = tuple(
    each.rule for each in load_rules() if isinstance(each.rule, FlowRule) and each.rule.id == "javascript-command-injection"
)
_MADE = "a function that is made of functions is followed only as far as its own code"
_OBJECT = "objects are known by the class or the literal that made them"
_REQUEST = "what one function writes into a request is not kept for the next"
MISSED = {
    "exported: Object.defineProperty(exports)": _OBJECT,
    "object create": _OBJECT,
    "object getter": _OBJECT,
    "class setter": _OBJECT,
    "prototype assign": _OBJECT,
    "class composed": "classes inside functions are known only by name",
    "class singleton": "classes inside functions are known only by name",
    "class static field": "classes inside functions are known only by name",
    "composed": _MADE,
    "pipe reduce": _MADE,
    "bind partial": _MADE,
    "bind partial tainted": _MADE,
    "sink bound": _MADE,
    "sink injected": _MADE,
    "sink via reflect": _MADE,
    "replace function": _MADE,
    "event emitter": "events are not matched with those who wait for them",
    "thrown": "errors are not followed to where they are caught",
    "middleware passes on req": _REQUEST,
    "middleware passes on res.locals": _REQUEST,
    "routes from a table": "routes are read where they are registered, not from tables",
    "http server chunks": "a request is no list of its chunks",
    "next action": "server actions are no entry points yet",
}
ALARMS = {
    "middleware": "what one handler asks about a request is not kept for the next",
    "schema zod": "what a schema lets through is not read",
}


def shapes() -> dict[str, dict[str, str]]:
    """The files of every program, by its name."""
    found: dict[str, dict[str, str]] = {}
    for line in (HOME / "bodies.txt").read_text("utf-8").splitlines():
        name, _, body = line.partition(" :: ")
        found[name] = {"app.js": f'{HEAD}app.get("/", async (req, res, next) => {{\n{body}\n}});\n'}
    return found | programs("programs.txt")


def programs(file: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for block in (HOME / file).read_text("utf-8").split("=== ")[1:]:
        name, _, text = block.replace("// express\n", HEAD).partition("\n")
        parts = re.split(r"^// file: (\S+)\n", text, flags=re.MULTILINE)
        found[name] = dict(zip(parts[1::2], parts[2::2], strict=True)) if len(parts) > 1 else {"app.js": text}
    return found


def reached(root: Path, asked: str, written: dict[str, dict[str, str]]) -> set[str]:
    """Names of the programs in which `asked` reaches the shell, those that do not say `IN` left out."""
    names: dict[str, str] = {}
    for number, (name, files) in enumerate(written.items()):
        if not any(re.search(r"\bINQ?\b", text) for text in files.values()) and asked != "req.query.a":
            continue
        names[f"p{number}"] = name
        for path, text in files.items():
            place = root / f"p{number}" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            question = asked.replace("req.", "question.")
            place.write_text(re.sub(r"\bIN\b", lambda _: asked, re.sub(r"\bINQ\b", lambda _, q=question: q, text)), "utf-8")
        (root / f"p{number}" / "package.json").write_text(f'{{"name": "p{number}", "private": true}}', "utf-8")
    project = Project(root, survey(root))
    findings = flow.examine(project, RULES, (*entry_points(project), *other_entry_points(project))).findings
    return {names[each.location.path.partition("/")[0]] for each in findings}


def test_data_is_followed_however_it_is_written(tmp_path: Path) -> None:
    assert set(shapes()) - reached(tmp_path, "req.query.a", shapes()) == set(MISSED)


def test_numbers_are_harmless_however_it_is_written(tmp_path: Path) -> None:
    assert reached(tmp_path, "parseInt(req.query.a, 10)", shapes()) == set()


def test_checked_data_is_harmless_however_it_is_checked(tmp_path: Path) -> None:
    assert reached(tmp_path, "req.query.a", programs("harmless.txt")) == set(ALARMS)
