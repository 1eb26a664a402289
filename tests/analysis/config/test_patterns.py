"""Rules as data: which places patterns find, which condition decides, and what the error of one rule costs."""

from dataclasses import replace

import pytest

from counterproof.analysis import config
from counterproof.analysis.config.patterns import Bad, Calls, Fields, Headers, Matching, Settings, Uses
from counterproof.analysis.config.places import Place, always, argument, fixed, keyword, off, on
from counterproof.analysis.config.terms import below, one_of
from counterproof.analysis.rules.rule_files import written
from counterproof.analysis.ruleset import CheckRule
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.severity import Confidence, Severity


def rule_of(identity: str, check: Matching) -> CheckRule:
    texts = {"title": "A weakness", "kind": "kind", "consequence": "It is bad.", "remedy": "Say it better.", "query": identity}
    return CheckRule(id=identity, dimension=Dimension.D8, cwe=16, severity=Severity.MEDIUM, check=check, **texts)


def lines(make_project, code: str, *rules: CheckRule) -> list[tuple[str, int]]:
    found = config.examine(make_project({"a.py": code}), rules).findings
    return [(each.rule, each.location.start) for each in found]


CODE = """import ssl
import hashlib as h
from Crypto.Cipher import AES

LIMIT = 3
h.new("md5", rounds=LIMIT)
h.new(name="sha512", rounds=9)
AES.deep.new(b"key")
client.login(secure=False)
context.check = True
DEBUG = True
answer.set("X-Mode", "open")
answer.headers["X-Mode"] = "closed"
ssl.PROTOCOL_OLD
page(autoescape=None)
"""


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (Calls(("hashlib.new",), argument(0, "name"), bad=Bad(one_of(["md5"]), "weak")), [6]),
        (Calls(("hashlib.new",), keyword("rounds"), bad=Bad(below(5), "few")), [6]),
        (Calls(("hashlib.new",), argument(0, "name"), lambda at: at.site.line > 6, Bad(always, "found")), [7]),
        (Calls(("Crypto.Cipher.*",), argument(0, "key"), bad=Bad(fixed, "fixed")), [8]),
        (Calls(("*.login",), keyword("secure"), bad=Bad(off, "off")), [9]),
        (Calls(("*.login",), keyword("other"), bad=Bad(lambda at: at.value is None, "absent")), []),
        (Calls(("*.login",), keyword("other"), bad=Bad(lambda at: at.value is None, "absent"), optional=True), [9]),
        (Calls(("autoescape=",), bad=Bad(always, "given")), [15]),
        (Fields(("check",), bad=Bad(on, "on")), [10]),
        (Settings(("DEBUG",), bad=Bad(on, "on")), [11]),
        (Headers(("x-mode",), bad=Bad(one_of(["open"]), "open")), [12]),
        (Headers(("x-mode",), bad=Bad(always, "set")), [12, 13]),
        (Uses(("PROTOCOL_OLD",), bad=Bad(lambda at: at.name == "ssl.PROTOCOL_OLD", "old")), [14]),
    ],
)
def test_pattern_finds_its_places_and_no_others(make_project, pattern, found: list[int]) -> None:
    assert lines(make_project, CODE, rule_of("one", Matching(pattern))) == [("one", line) for line in found]


def test_first_condition_that_holds_decides(make_project) -> None:
    conditions = (Bad(one_of(["md5"]), "{value} is weak", Confidence.MEDIUM, Severity.LOW), Bad(always, "too short"))
    check = Matching(Calls(("hashlib.new",), argument(0, "name")), bad=conditions, item="{last}")
    found = config.examine(make_project({"a.py": CODE}), (rule_of("one", check),))
    assert [each.severity for each in found.findings] == [Severity.LOW, Severity.MEDIUM]
    assert [each.verdict for each in found.items] == ["md5 is weak", "too short"]


def test_good_place_is_an_item_only_where_the_pattern_says_why(make_project) -> None:
    silent = Matching(Calls(("hashlib.new",), bad=Bad(always, "")), item="hash")
    for check, items in ((replace_good(silent, ""), []), (replace_good(silent, "{name} is fine"), ["hashlib.new is fine"] * 2)):
        found = config.examine(make_project({"a.py": CODE}), (rule_of("one", check),))
        assert ([each.verdict for each in found.items], found.findings) == (items, ())


def replace_good(check: Matching, good: str) -> Matching:
    return Matching(*(replace(each, good=good, bad=Bad(lambda _: False, "")) for each in check.patterns))


def test_error_of_one_rule_costs_no_other_rule(make_project) -> None:
    def fails(at: Place) -> bool:
        raise ValueError(at.name)

    broken = rule_of("broken", Matching(Settings(("DEBUG",), bad=Bad(fails, ""))))
    sound = rule_of("sound", Matching(Settings(("DEBUG",), bad=Bad(on, "on"))))
    result = config.examine(make_project({"a.py": CODE}), (broken, sound))
    assert [each.rule for each in result.findings] == ["sound"]
    assert result.limitations == ("Rule broken could not judge a.py: ValueError",)


def test_rule_alone_finds_what_the_runner_finds(make_project) -> None:
    check = Matching(Settings(("DEBUG",), bad=Bad(on, "on")))
    assert [match.line for match in check(make_project({"a.py": CODE}), "a.py")] == [11]


RULE = """summary = "A rule."
finds = "Weak hashes."
matters = "They break."
harmless = "Strong ones."
limits = "None."
title = "A weakness"
kind = "kind"
cwe = 16
severity = "low"
consequence = "It is bad."
remedy = "Say it better."
query = "places"
[match]
calls = [{ names = ["hashlib.{new,old}"], argument = [0, "name"], only = [{ not = { keyword = "rounds" } }, "not in_function"] }]
when = { any = [{ text = "md5" }, ["absent", "fixed"]] }
verdict = "weak"
"""


def test_rule_file_gives_the_documentation_and_the_rule(make_project, tmp_path) -> None:
    (tmp_path / "rule.toml").write_text(RULE, "utf-8")
    documentation, (rule,) = written(tmp_path / "rule.toml", "rules.family.rule")
    code = 'import hashlib\nhashlib.new("md5")\nhashlib.new("md5", rounds=1)\nhashlib.old("md5")\nhashlib.new("sha256")\n'
    found = config.examine(make_project({"a.py": code}), (replace(rule, id="one", dimension=Dimension.D8),)).findings
    assert [(each.location.start, each.severity) for each in found] == [(2, Severity.LOW), (4, Severity.LOW)]
    assert documentation.startswith("A rule.\n\n## What it finds\nWeak hashes.\n\n## Why it matters\nThey break.\n\n")


@pytest.mark.parametrize(
    "wrong",
    [
        ('kind = "kind"', 'kind = "kind"\nkinds = "kind"'),
        ('limits = "None."\n', ""),
        ('severity = "low"', 'severity = "lowest"'),
        ("argument", "arguments"),
        ('text = "md5"', 'texts = "md5"'),
        ('"absent"', '"missing"'),
        ('verdict = "weak"', 'verdict = "weak"\nverdicts = "weak"'),
    ],
)
def test_rule_file_with_an_unknown_or_missing_word_cannot_be_read(tmp_path, wrong: tuple[str, str]) -> None:
    (tmp_path / "rule.toml").write_text(RULE.replace(*wrong), "utf-8")
    with pytest.raises(InvalidValue, match="cannot be read"):
        written(tmp_path / "rule.toml", "rules.family.rule")
