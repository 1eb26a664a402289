"""Data flow in JavaScript and TypeScript: modules, callbacks, closures, published functions, requests."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination

LookAt = Callable[[dict[str, str]], Examination]
EXEC = 'const { exec } = require("child_process");\n'
LIBRARY = '{"name": "a-library", "main": "index.js"}'


def places(found: Examination) -> list[tuple[str, int]]:
    return [(each.location.path, each.location.start) for each in found.findings]


def in_handler(body: str) -> dict[str, str]:
    """A request handler on lines of its own, after the import on line 1."""
    return {"app.js": f"{EXEC}module.exports = (req, res) => {{\n{body}\n}};\n"}


@pytest.mark.parametrize(
    "body",
    [
        "exec(req.query.a);",
        "exec(`ls ${req.params.a}`);",
        "const { a } = req.body; exec('ls ' + a);",
        "const [a] = req.query.list; exec(a);",
        "const options = { a: req.query.a, b: 1 }; exec(options.a);",
        "const options = { a: 'x', ...req.query }; exec(options.a);",
        "const options = Object.assign({ a: 'x' }, req.query); exec(options.a);",
        "const options = {}; options['a'] = req.query.a; exec(options.a);",
        "let a; if (req.query.a) { a = req.query.a } else { a = 'x' } exec(a);",
        "const parts = []; parts.push(req.query.a); exec(parts.join(' '));",
        "setTimeout(() => exec(req.query.a), 10);",
        "load().then(() => { exec(req.query.a) });",
        "Promise.resolve(req.query.a).then((a) => exec(a));",
        "req.query.list.map((a) => exec(a));",
        "let a = ''; later(() => { a = req.query.a }); exec(a);",
        "for (const a of req.query.list) exec(a);",
        "try { exec(req.query.a) } catch (e) {}",
        "switch (req.query.k) { case 'x': exec(req.query.a); break; default: }",
        "exec.call(null, req.query.a);",
        "const run = (a) => exec(a); run(req.query.a);",
        "({ x: (a) => exec(a), y: (a) => a })[req.query.k](req.query.a);",
        "exec(req.query.a ?? 'x');",
        "exec(JSON.parse(req.body).a);",
        "const a = JSON.parse(req.body); if (!a.b) { a.b = 'x' } exec(a.b);",
        "let a = req.query.a; later(() => { if (a == '') { a = '/' } exec(a) });",
        "new Promise((resolve) => resolve(req.query.a)).then((a) => exec(a));",
        "new Promise((resolve) => { later(() => resolve('ls ' + req.query.a)) }).then((a) => exec(a));",
    ],
)
def test_data_of_a_request_reaches_the_sink(look_at: LookAt, body: str) -> None:
    assert places(look_at(in_handler(body))) == [("app.js", 3)]


@pytest.mark.parametrize(
    "body",
    [
        "exec('ls');",
        "exec('ls ' + parseInt(req.query.a, 10));",
        "const options = { a: 'x', b: req.query.b }; exec(options.a);",
        "const a = req.query.a; if (typeof a !== 'number') return; exec('ls ' + a);",
        "const a = req.query.a; if (!/^[a-z]+$/.test(a)) throw new Error(); exec('ls ' + a);",
        "const a = req.query.a; if (a === 'x') exec(a);",
        "const a = req.query.a; if (!['x', 'y'].includes(a)) return; exec(a);",
        "exec('ls ' + req.query.list.length > 3 ? 'a' : 'b');",
        "const a = req.query.a; { const exec = (x) => x; exec(a); }",
    ],
)
def test_harmless_data_is_not_reported(look_at: LookAt, body: str) -> None:
    assert places(look_at(in_handler(body))) == []


@pytest.mark.parametrize(
    ("exporting", "importing"),
    [
        ("module.exports = run;", 'const run = require("./run");'),
        ("exports.run = run;", 'const { run } = require("./run");'),
        ("module.exports = { run };", 'const all = require("./run"); const run = all.run;'),
        ("export default run;", 'import run from "./run";'),
        ("export { run as go };", 'import { go as run } from "./run.js";'),
        ("module.exports = run;", 'import run from "./run";'),
    ],
)
def test_data_is_followed_from_file_to_file(look_at: LookAt, exporting: str, importing: str) -> None:
    files = {
        "run.js": f"{EXEC}function run(a) {{ exec('ls ' + a); }}\n{exporting}\n",
        "app.js": f"{importing}\nfunction handle(req, res) {{ run(req.query.a); }}\n",
    }
    assert places(look_at(files)) == [("run.js", 2)]


def test_re_exports_are_followed(look_at: LookAt) -> None:
    files = {
        "lib/run.ts": f"{EXEC}export function run(a: string) {{ exec('ls ' + a); }}\n",
        "lib/index.ts": 'export * from "./run";\n',
        "app.ts": 'import { run } from "./lib";\nfunction handle(req, res) { run(req.query.a); }\n',
    }
    assert places(look_at(files)) == [("lib/run.ts", 2)]


@pytest.mark.parametrize(
    "exported",
    [
        "module.exports = (a) => exec('ls ' + a);",
        "module.exports = { list: (a) => exec('ls ' + a) };",
        "module.exports = () => ({ list: (a) => exec('ls ' + a) });",
        "class A { list(a) { exec('ls ' + a) } } module.exports = A;",
        "class A { constructor(a) { this.a = a } list() { exec('ls ' + this.a) } } module.exports = A;",
        "const api = module.exports = {}; api.list = (a) => exec('ls ' + a);",
    ],
)
def test_what_a_package_offers_is_called_by_others(look_at: LookAt, exported: str) -> None:
    found = look_at({"package.json": LIBRARY, "index.js": f"{EXEC}{exported}\n"})
    assert places(found) == [("index.js", 2)]


def test_both_alternatives_of_an_export_are_offered(look_at: LookAt) -> None:
    files = {
        "package.json": LIBRARY,
        "index.js": "if (windows) { module.exports = require('./a').list; } else { module.exports = require('./b').list; }\n",
        "a.js": f"{EXEC}exports.list = (a) => exec('dir ' + a);\n",
        "b.js": f"{EXEC}exports.list = (a) => exec('ls ' + a);\n",
    }
    assert places(look_at(files)) == [("a.js", 2), ("b.js", 2)]


def test_what_a_package_keeps_to_itself_is_not(look_at: LookAt) -> None:
    code = f"{EXEC}const list = (a) => exec('ls ' + a);\nmodule.exports = () => list('x');\n"
    assert places(look_at({"package.json": LIBRARY, "index.js": code})) == []


def test_a_private_package_offers_nothing(look_at: LookAt) -> None:
    code = f"{EXEC}module.exports = (a) => exec('ls ' + a);\n"
    assert places(look_at({"package.json": '{"name": "x", "private": true}', "index.js": code})) == []


def test_a_path_that_the_caller_passes_is_the_callers_choice(look_at: LookAt) -> None:
    code = 'module.exports = (a) => require("fs").readFileSync(a);\n'
    assert places(look_at({"package.json": LIBRARY, "index.js": code})) == []


def test_servers_hand_requests_to_functions_with_any_parameter_names(look_at: LookAt) -> None:
    code = f"{EXEC}require('http').createServer((ask, answer) => {{ exec(ask.url); }});\n"
    assert places(look_at({"server.js": code})) == [("server.js", 2)]


def test_rules_of_one_language_leave_the_other_alone(look_at: LookAt) -> None:
    files = {
        "app.js": "function handle(req, res) { os.system(req.query.a); }\n",
        "app.py": "from flask import request\nimport child_process\nchild_process.exec(request.args['a'])\n",
    }
    assert places(look_at(files)) == []


def test_searches_say_which_language_they_covered(look_at: LookAt) -> None:
    handler = "function handle(req, res) { exec(req.query.a); }\n"
    found = look_at({"a.js": EXEC + handler, "b.ts": EXEC + handler})
    shell = {each.language: each.files for each in found.searches if each.kind == "shell" and each.hits}
    assert shell == {"javascript": ("a.js",), "typescript": ("b.ts",)}


@pytest.mark.parametrize(
    "body",
    [
        "module.exports = function () { exec('ls ' + arguments[0]) };",
        "module.exports = function () { const given = [].slice.call(arguments); exec('ls ' + given[1]) };",
        "const run = (a) => exec('ls ' + a); module.exports = function () { run.apply(null, arguments) };",
        "const by = { x: (a) => exec('ls ' + a) }; module.exports = function () { by[os.platform()].apply(by, arguments) };",
        "let run; switch (os) { case 'x': run = (a) => a; break; default: run = (a) => exec('ls ' + a) } exports.run = run;",
        "let run; if (windows) run = (a) => a; else run = (a) => exec('ls ' + a); exports.run = (a) => run(a);",
        "module.exports = (options) => () => exec('ls ' + options.a);",
        "module.exports = (options) => { const own = Object.assign({}, options); return { run() { exec('ls ' + own.a) } } };",
        "module.exports = (a) => (b) => { return { run: () => exec('ls ' + a) } };",
    ],
)
def test_what_a_function_of_a_package_is_given_is_untrusted_however_it_gets_at_it(look_at: LookAt, body: str) -> None:
    assert places(look_at({"package.json": LIBRARY, "index.js": EXEC + body})) == [("index.js", 2)]


def test_a_program_that_the_caller_names_is_the_callers_choice(look_at: LookAt) -> None:
    code = 'const { execFile } = require("child_process");\nexports.run = (program, words) => execFile(program, words);\n'
    assert places(look_at({"package.json": LIBRARY, "index.js": code})) == []
