"""Dependencies compared with the user's vulnerability data: findings, coverage, and reported gaps."""

from collections.abc import Callable
from pathlib import Path

import pytest
from osv_samples import CRITICAL, Record, lines, record

from counterproof.analysis.dependencies import examine
from counterproof.analysis.dependencies.osv import digest_of
from counterproof.analysis.examination import Examination
from counterproof.analysis.families import examine as hunt
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.analysis.validation import judge_finding
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.finding import StepResult
from counterproof.model.judgement import Verdict
from counterproof.model.severity import Severity
from counterproof.model.survey import Language
from counterproof.model.vulnerabilities import VulnerabilityData
from counterproof.protocols.audit.coverage import Evidence, status_of

Given = Callable[..., Project]
POM = """<project><dependencies><dependency>
<groupId>org.example</groupId><artifactId>lib</artifactId><version>1.0</version>
</dependency></dependencies></project>
"""
SEVERE = [{"type": "CVSS_V3", "score": CRITICAL}]


@pytest.fixture
def given(project_of: Callable[[dict[str, str]], Project], tmp_path: Path) -> Given:
    def build(files: dict[str, str], *records: Record, today: str = "2026-11-15") -> Project:
        project = project_of(files)
        place = lines(tmp_path / "export.jsonl", *records)
        project.vulnerability_data = VulnerabilityData(str(place), digest_of(place), today)
        return project

    return build


def told(found: Examination) -> list[str]:
    return [f"{each.rule} {each.location} {each.severity.value}: {each.title}" for each in found.findings]


def coverage(found: Examination) -> tuple[Status, str]:
    row = status_of(Dimension.D10, Evidence(found.searches, found.traces, found.items), applicable=True)
    return row.status, row.limitation


def test_one_finding_for_a_version_with_all_its_vulnerabilities(given: Given) -> None:
    rows = [
        record("GHSA-1", aliases=["CVE-1"], severity=SEVERE, summary="Runs code."),
        record("PYSEC-1", aliases=["CVE-1"]),
        record("GHSA-2", "lib", "PyPI", {"introduced": "0"}, {"fixed": "3.1"}, database_specific={"severity": "LOW"}),
    ]
    found = examine(given({"requirements.txt": "six==1.16\nlib==1.0\n"}, *rows))
    assert told(found) == ["known-vulnerability requirements.txt:2 critical: lib 1.0 has 2 known vulnerabilities: CVE-1, GHSA-2"]
    (finding,) = found.findings
    assert finding.impact == "CVE-1 (critical, fixed in 2.0): Runs code. GHSA-2 (low, fixed in 3.1)."
    assert finding.remedy == "Upgrade lib to 3.1 or later, and lock that version."
    assert finding.evidence == "lib==1.0"


def test_the_declaration_is_reported_and_its_lock_named_beside_it(given: Given) -> None:
    files = {"requirements.txt": "lib==1.0\n", "poetry.lock": '[[package]]\nname = "lib"\nversion = "1.0"\n'}
    (finding,) = examine(given(files, record())).findings
    assert (str(finding.location), [str(each) for each in finding.also]) == ("requirements.txt:1", ["poetry.lock:2"])


def test_a_lock_says_which_version_a_loose_declaration_means(given: Given) -> None:
    files = {"requirements.txt": "lib>=1\n", "poetry.lock": '[[package]]\nname = "lib"\nversion = "1.0"\n'}
    found = examine(given(files, record()))
    assert [str(each.location) for each in found.findings] == ["poetry.lock:2"]
    assert coverage(found) == (Status.COVERED, "")


@pytest.mark.parametrize(
    ("path", "text", "ecosystem", "name"),
    [
        ("Pipfile.lock", '{"default": {\n"lib": {"version": "==1.0"}}}', "PyPI", "lib"),
        ("uv.lock", '[[package]]\nname = "lib"\nversion = "1.0"\n', "PyPI", "lib"),
        ("package-lock.json", '{"packages": {\n"node_modules/a/node_modules/@s/lib": {"version": "1.0.0"}}}', "npm", "@s/lib"),
        ("package-lock.json", '{"dependencies": {"a": {\n"dependencies": {"lib": {"version": "1.0.0"}}}}}', "npm", "lib"),
        ("yarn.lock", '# yarn lockfile v1\n"@s/lib@^1":\n  version "1.0.0"\n', "npm", "@s/lib"),
        ("yarn.lock", '__metadata:\n  version: 8\n"lib@npm:^1":\n  version: 1.0.0\n', "npm", "lib"),
        ("pnpm-lock.yaml", "lockfileVersion: '9.0'\npackages:\n  '@s/lib@1.0.0':\n    resolution: {}\n", "npm", "@s/lib"),
        ("pnpm-lock.yaml", "lockfileVersion: 5.4\npackages:\n  /lib/1.0.0:\n    resolution: {}\n", "npm", "lib"),
        ("go.mod", "module m\nrequire example.org/lib v1.0.0\n", "Go", "example.org/lib"),
        ("composer.lock", '{"packages": [\n{"name": "v/lib", "version": "v1.0.0"}]}', "Packagist", "v/lib"),
        ("Gemfile.lock", "GEM\n  specs:\n    lib (1.0)\n", "RubyGems", "lib"),
        ("gradle.lockfile", "# x\norg.example:lib:1.0=runtimeClasspath\n", "Maven", "org.example:lib"),
        ("pom.xml", POM, "Maven", "org.example:lib"),
    ],
)  # fmt: skip
def test_versions_come_from_every_lock_file(given: Given, path: str, text: str, ecosystem: str, name: str) -> None:
    found = examine(given({path: text}, record("X-1", name, ecosystem), record("X-2", name, ecosystem, {"introduced": "2.0"})))
    assert [(each.rule, each.location.path, "X-1" in each.title) for each in found.findings] == [
        ("known-vulnerability", path, True)
    ]
    assert found.findings[0].title.endswith("a known vulnerability: X-1")


def test_a_go_module_that_is_replaced_is_not_compared(given: Given) -> None:
    module = "module m\nrequire (\n\texample.org/lib v1.0.0\n\texample.org/near v1.0.0\n\texample.org/kept v1.0.0\n)\n"
    changes = "replace example.org/lib => example.org/fork v3.0.0\nreplace (\n\texample.org/near => ./near\n)\n"
    files = {"go.mod": module + changes}
    rows = [record(f"X-{name}", f"example.org/{name}", "Go") for name in ("lib", "near", "kept")]
    assert [each.title for each in examine(given(files, *rows)).findings] == [
        "example.org/kept v1.0.0 has a known vulnerability: X-kept"
    ]


def test_what_is_needed_for_development_only_is_low(given: Given) -> None:
    found = examine(given({"requirements-dev.txt": "lib==1.0\n"}, record(severity=SEVERE)))
    assert [each.severity for each in found.findings] == [Severity.LOW]
    both = examine(given({"requirements-dev.txt": "lib==1.0\n", "requirements.txt": "lib==1.0\n"}, record(severity=SEVERE)))
    assert [(str(each.location), each.severity) for each in both.findings] == [("requirements.txt:1", Severity.CRITICAL)]


def test_malicious_packages_are_critical(given: Given) -> None:
    found = examine(given({"requirements.txt": "lib==1.0\n"}, record("MAL-2026-1"), record("GHSA-1")))
    assert [(each.rule, each.severity) for each in found.findings] == [
        ("known-vulnerability", Severity.MEDIUM),
        ("malicious-package", Severity.CRITICAL),
    ]


def test_tests_and_samples_are_left_in_peace(given: Given) -> None:
    files = {"tests/requirements.txt": "lib==1.0\n", "examples/requirements.txt": "lib==1.0\n"}
    assert examine(given(files, record())).findings == ()


@pytest.mark.rule("A15")
def test_without_data_the_dimension_is_shallow_and_leaves_the_count(project_of: Callable[[dict[str, str]], Project]) -> None:
    found = examine(project_of({"requirements.txt": "lib==1.0\n"}))
    assert coverage(found) == (Status.SHALLOW, "known CVEs were not checked: no vulnerability data was supplied")


@pytest.mark.rule("A15")
def test_with_data_for_every_ecosystem_it_is_covered(given: Given) -> None:
    found = examine(given({"requirements.txt": "lib==3.0\n"}, record()))
    assert (found.findings, coverage(found)) == ((), (Status.COVERED, ""))


@pytest.mark.rule("A15")
def test_data_without_an_ecosystem_of_the_project_fall_short(given: Given) -> None:
    found = examine(given({"requirements.txt": "lib==1.0\n"}, record("X-1", "lib", "npm")))
    assert coverage(found) == (Status.SHALLOW, "known CVEs were not checked for every dependency")
    assert found.limitations == ("Known CVEs of pypi packages were not checked: the vulnerability data hold no such records",)


@pytest.mark.rule("A15")
def test_dependencies_without_an_exact_version_fall_short(given: Given) -> None:
    found = examine(given({"requirements.txt": "lib==3.0\nother>=1\n"}, record()))
    assert coverage(found)[0] is Status.SHALLOW
    assert found.limitations == ("Known CVEs were not checked for dependencies without an exact version: other",)


def test_old_data_are_said_to_be_old(given: Given) -> None:
    rows = record(modified="2026-09-01T00:00:00Z")
    assert examine(given({"requirements.txt": "lib==3.0\n"}, rows)).limitations == (
        "The vulnerability data for pypi are 75 days old; newer CVEs were not checked",
    )


def test_records_that_cannot_be_used_are_said(given: Given) -> None:
    found = examine(given({"requirements.txt": "lib==3.0\n"}, record(), {"id": "X-1"}))
    assert found.limitations == (
        "1 document of the vulnerability data could not be used: export.jsonl:2: it is not an OSV record",
    )


def test_versions_that_have_no_order_are_said(given: Given) -> None:
    found = examine(given({"poetry.lock": '[[package]]\nname = "lib"\nversion = "trunk"\n'}, record()))
    assert found.limitations == ("Some versions could not be compared with the vulnerability data: lib trunk",)


def test_data_that_changed_or_went_away_are_not_used(given: Given) -> None:
    project = given({"requirements.txt": "lib==1.0\n"}, record())
    assert project.vulnerability_data is not None
    place = Path(project.vulnerability_data.path)
    lines(place, record("X-9"))
    changed = examine(project)
    assert (changed.findings, coverage(changed)[0]) == ((), Status.SHALLOW)
    assert changed.limitations == ("Known CVEs were not checked: the vulnerability data changed during the run",)
    place.unlink()
    assert coverage(examine(project))[0] is Status.SHALLOW


def test_the_same_data_give_the_same_answer_in_any_order(given: Given) -> None:
    rows = [record(f"X-{number}", severity=SEVERE if number % 2 else None) for number in range(6)]
    files = {"requirements.txt": "lib==1.0\n"}
    assert examine(given(files, *rows)).findings == examine(given(files, *reversed(rows))).findings


def test_a_project_without_python_is_examined_too(tmp_path: Path) -> None:
    root = tmp_path / "web"
    root.mkdir()
    (root / "index.js").write_text("export const one = 1\n")
    (root / "package-lock.json").write_text('{"packages": {"node_modules/lib": {"version": "1.0.0"}}}')
    project = Project(root, survey(root))
    place = lines(tmp_path / "export.jsonl", record("X-1", "lib", "npm"))
    project.vulnerability_data = VulnerabilityData(str(place), digest_of(place), "2026-11-15")
    hunted = hunt(project, (), (Dimension.D10,), Language.JAVASCRIPT)
    assert [each.rule for each in hunted.examination.findings] == ["known-vulnerability"]
    assert "package-lock.json" in hunted.visited


@pytest.mark.parametrize("path", ["requirements.txt", "poetry.lock"])
def test_the_checker_finds_the_version_in_the_file(given: Given, path: str) -> None:
    text = {"requirements.txt": "lib==1.0\n", "poetry.lock": '[[package]]\nname = "lib"\nversion = "1.0"\n'}[path]
    project = given({path: text}, record(severity=SEVERE))
    (finding,) = examine(project).findings
    judgement = judge_finding(project, (), finding).judgement
    assert judgement.verdict is Verdict.CONFIRMED
    assert judgement.validation.flow.result is StepResult.PASS
