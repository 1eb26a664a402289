"""The runner of check rules: items, searches, findings, tests, time and unreadable files."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from counterproof.analysis import config
from counterproof.analysis.config.evidence import rating
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.ruleset import CheckRule, Match, load_rules
from counterproof.analysis.source.reading import TargetChanged
from counterproof.model.dimension import Dimension
from counterproof.model.finding import StepResult
from counterproof.model.marks import MARK
from counterproof.model.severity import Complexity, Confidence, Impact, Reach, Severity
from counterproof.protocols.audit.severity import level


def rule_of(dimension: Dimension = Dimension.D8, in_tests: bool = True) -> CheckRule:
    """Finds the word BAD and judges the word GOOD."""

    def check(project: Project, path: str) -> Iterable[Match]:
        for number, line in enumerate(project.text(path).split("\n"), 1):
            if "BAD" in line or "GOOD" in line:
                yield Match(number, number, "word", "judged", "BAD" in line, Confidence.HIGH)

    return CheckRule(
        id="word",
        title="A bad word",
        dimension=dimension,
        kind="word",
        cwe=16,
        severity=Severity.MEDIUM,
        consequence="It is bad.",
        remedy="Say it better.",
        check=check,
        query="words",
        in_tests=in_tests,
    )


def test_good_and_bad_values_are_items_and_only_bad_ones_are_findings(make_project) -> None:
    project = make_project({"a.py": "GOOD = 1\nBAD = 2\n", "b.py": "x = 1\n", "c.txt": "BAD\n"})
    result = config.examine(project, (rule_of(),))
    assert [(str(item.location), item.judged, item.verdict) for item in result.items] == [
        ("a.py:1", True, "judged"),
        ("a.py:2", True, "judged"),
    ]
    (finding,) = result.findings
    assert (str(finding.location), finding.evidence, finding.cwe, finding.id) == ("a.py:2", "BAD = 2", 16, "")
    assert finding.no_poc_reason
    assert finding.remedy == "Say it better."
    assert [step.result for step in finding.validation.steps] == [
        StepResult.PASS,
        StepResult.PARTIAL,
        StepResult.PARTIAL,
        StepResult.PASS,
    ]
    (search,) = result.searches
    assert (search.hits, search.files) == (2, ("a.py",))


@pytest.mark.rule("A16")
def test_a_rule_that_hits_nothing_leaves_its_empty_search(make_project) -> None:
    result = config.examine(make_project({"a.py": "x = 1\n"}), (rule_of(),))
    assert [(search.query, search.hits, search.files) for search in result.searches] == [("words", 0, ())]
    assert result.items == ()


@pytest.mark.rule("A29")
@pytest.mark.parametrize(
    ("dimension", "in_tests", "items"),
    [
        (Dimension.D7, True, 1),
        (Dimension.D8, True, 1),
        (Dimension.D8, False, 0),
        (Dimension.D2, True, 0),
        (Dimension.D3, True, 0),
    ],
)
def test_test_code_is_read_for_d7_and_d8_only_and_is_no_finding(make_project, dimension, in_tests: bool, items: int) -> None:
    project = make_project({"tests/test_a.py": "BAD = 1\n", "b.py": "x = 1\n"})
    result = config.examine(project, (rule_of(dimension, in_tests),))
    assert len(result.items) == items
    assert result.findings == ()


def test_a_rule_that_says_something_impossible_costs_no_other_rule(make_project) -> None:
    broken = replace(rule_of(), check=lambda _project, _path: [Match(1, 1, "word", "", False)])
    result = config.examine(make_project({"a.py": "BAD = 1\n"}), (broken, rule_of()))
    assert [str(finding.location) for finding in result.findings] == ["a.py:1"]
    assert "Rule word could not judge a.py" in result.limitations[0]


def test_a_file_that_changed_since_the_survey_ends_the_examination(make_project) -> None:
    """No limitation will do: what was found before rests on a tree that is no longer there."""
    project = make_project({"a.py": "BAD = 1\n", "b.py": "BAD = 2\n"})
    (project.root / "b.py").write_text("changed\n")
    with pytest.raises(TargetChanged, match=r"'b\.py' changed"):
        config.examine(project, (rule_of(),))


def test_a_file_that_a_rule_cannot_judge_and_time_that_runs_out_are_limitations(make_project) -> None:
    def check(project: Project, path: str) -> Iterable[Match]:
        if path == "a.py":
            raise ValueError("odd")
        return rule_of().check(project, path)

    project = make_project({"a.py": "BAD = 1\n", "b.py": "BAD = 2\n"})
    result = config.examine(project, (replace(rule_of(), check=check),))
    assert [str(finding.location) for finding in result.findings] == ["b.py:1"]
    assert result.limitations == ("Rule word could not judge a.py: ValueError",)
    assert list(project.unread) == ["a.py"]

    def over() -> None:
        raise OutOfTime("over")

    late = config.examine(Project(project.root, project.survey, over), (rule_of(),))
    assert late.findings == ()
    assert len(late.searches) == 1
    assert "Time ran out" in late.limitations[0]


@pytest.mark.rule("X17")
def test_evidence_hides_secrets_and_has_three_lines_at_most(make_project) -> None:
    code = """
        import jwt
        one = jwt.encode({}, "s3cr3t-signing-w0rd-42", algorithm="HS256")
        two = jwt.encode(
            {},
            "an0ther-signing-w0rd-77",
            algorithm="HS256",
        )
    """
    rules = tuple(loaded.rule for loaded in load_rules() if isinstance(loaded.rule, CheckRule))
    findings = [each for each in config.examine(make_project({"a.py": code}), rules).findings if each.rule == "jwt-static-key"]
    assert [MARK.sub("***", each.evidence) for each in findings] == [
        'one = jwt.encode({}, "***", algorithm="HS256")',
        'two = jwt.encode(\n{},\n"***",',
    ]


POINTS = {Impact.LOCAL: 1, Impact.PARTIAL: 2, Impact.FULL: 3}
EFFORT = {Complexity.SINGLE_REQUEST: 0, Complexity.MULTI_STEP: -1, Complexity.STRONG_PRECONDITIONS: -2}


@pytest.mark.rule("A40")
@pytest.mark.parametrize(
    "loaded", [each for each in load_rules() if isinstance(each.rule, CheckRule)], ids=lambda each: each.rule.id
)
def test_ratings_add_up_to_the_severity_that_the_rule_states(loaded) -> None:
    """The arithmetic of A40, done by hand, so that no check rule disputes its own rating. Who reaches a setting is not known."""
    info = loaded.rule
    given = rating(info)
    assert given.reach is Reach.ANONYMOUS
    total = 2 + POINTS[given.impact] + EFFORT[given.complexity] - min(3, given.stringent_conditions)
    assert abs(info.severity.rank - level(total).rank) <= 1


def test_same_input_gives_the_same_result(make_project) -> None:
    code = "import random, hashlib\ndef token(password):\n    a = random.random()\n    return hashlib.md5(password).hexdigest()\n"
    rules = tuple(loaded.rule for loaded in load_rules() if isinstance(loaded.rule, CheckRule))
    project = make_project({"a.py": code})
    assert config.examine(project, rules) == config.examine(Project(project.root, project.survey), rules)


def test_open_origins_weigh_less_where_no_credentials_go_along(make_project) -> None:
    code = "from flask_cors import CORS\nCORS(app)\nCORS(api, supports_credentials=True)\n"
    rules = tuple(each.rule for each in load_rules() if each.rule.id == "cors-wildcard" and isinstance(each.rule, CheckRule))
    found = config.examine(make_project({"app.py": code, "settings.py": "CORS_ALLOW_ALL_ORIGINS = True\n"}), rules).findings
    told = sorted((str(each.location), each.severity, each.rating.stringent_conditions > 0) for each in found)
    assert told == [("app.py:2", "low", True), ("app.py:3", "medium", False), ("settings.py:1", "low", True)]
