"""Places of one weakness in a package are one finding that lists them all; what requests bring stays apart (A39)."""

from collections.abc import Callable

from counterproof.analysis.examination import Examination
from counterproof.model.finding import Finding

LookAt = Callable[[dict[str, str]], Examination]
EXEC = 'const { exec } = require("child_process");\n'
LIBRARY = '{"name": "a-library", "main": "index.js"}'


def lines(found: Examination) -> list[tuple[int, list[int]]]:
    return [(each.location.start, also(each)) for each in found.findings]


def also(finding: Finding) -> list[int]:
    return [place.start for place in finding.also]


def test_sinks_that_one_argument_reaches_in_one_function_are_one_finding(look_at: LookAt) -> None:
    code = """exports.size = function (folder, done) {
  if (windows) exec("dir " + folder, done);
  else load(() => exec("du " + folder, done));
};
exports.count = (folder) => exec("ls " + folder);
"""
    assert lines(look_at({"package.json": LIBRARY, "index.js": EXEC + code})) == [(3, [4]), (6, [])]


def test_functions_that_share_a_helper_which_runs_commands_are_one_finding(look_at: LookAt) -> None:
    code = """function run(command) {
  return new Promise((done) => exec(command, done));
}
exports.clip = (file) => run("clip " + file);
exports.join = (file) => run("join " + file);
exports.own = (file) => exec("own " + file);
"""
    assert lines(look_at({"package.json": LIBRARY, "index.js": EXEC + code})) == [(5, [6]), (7, [])]


def test_places_that_a_request_reaches_stay_apart(look_at: LookAt) -> None:
    code = """module.exports = (req, res) => {
  exec("ls " + req.query.a);
  exec("du " + req.query.a);
};
"""
    assert lines(look_at({"app.js": EXEC + code})) == [(3, []), (4, [])]
