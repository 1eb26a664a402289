"""What the examination of the supply chain objects to, and what it leaves in peace (D10)."""

import pytest

from counterproof.analysis.dependencies import examine
from counterproof.model.dimension import Dimension
from counterproof.model.vulnerabilities import KNOWN_VULNERABILITIES

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DEPLOYED = {"Procfile": "web: serve\n"}


def told(project) -> list[str]:
    """Findings as `rule@path:line`; each quotes its line."""
    found = examine(project)
    for finding in found.findings:
        line = project.text(finding.location.path).split("\n")[finding.location.start - 1]
        assert finding.evidence == line.strip()
        assert finding.dimension is Dimension.D10
    return [f"{finding.rule}@{finding.location}" for finding in found.findings]


def test_an_application_without_pins_gets_one_finding(project_of) -> None:
    files = {"requirements.txt": "six==1.16\nflask\nrequests>=2\n"}
    assert told(project_of(files)) == [], "nothing here runs it"
    assert told(project_of(files | DEPLOYED)) == ["unpinned-dependencies@requirements.txt:2"]


def test_a_few_loose_ones_among_exact_ones_are_an_item_and_no_finding(project_of) -> None:
    found = examine(project_of({"requirements.txt": "a==1\nb==1\nflask\n"} | DEPLOYED))
    assert found.findings == ()
    assert "1 without an exact version" in found.items[0].verdict


@pytest.mark.parametrize(
    "files",
    [
        {"requirements.txt": "flask==2.0\n"},
        {"requirements.txt": "flask\n", "constraints.txt": "flask==2.0\n"},
        {"requirements.in": "flask\n", "requirements.txt": "flask==2.0\n"},
        {"Pipfile": '[packages]\nflask = "*"\n', "Pipfile.lock": '{"default": {"flask": {"version": "==2"}}}'},
        {
            "pyproject.toml": '[project]\nname = "x"\ndependencies = ["flask"]\n',
            "uv.lock": '[[package]]\nname = "flask"\nversion = "2"\n',
        },
        {"requirements-dev.txt": "pytest\n", "docs/requirements.txt": "sphinx\n", "examples/requirements.txt": "flask\n"},
    ],
)
def test_locked_applications_and_tools_are_left_in_peace(project_of, files: dict[str, str]) -> None:
    assert told(project_of(files | DEPLOYED)) == []


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": '[build-system]\nrequires = ["x"]\n[project]\nname = "lib"\ndependencies = ["flask>=2"]\n'},
        {"setup.py": "from setuptools import setup\nsetup(name='lib', install_requires=['flask'])\n"},
    ],
)
def test_libraries_need_not_lock(project_of, files: dict[str, str]) -> None:
    assert told(project_of(files)) == []


def test_a_package_that_is_deployed_is_an_application(project_of) -> None:
    manifest = '[build-system]\nrequires = ["x"]\n[project]\nname = "app"\ndependencies = ["flask>=2"]\n'
    assert told(project_of({"pyproject.toml": manifest, "Procfile": "web: x\n"})) == ["unpinned-dependencies@pyproject.toml:5"]


def test_addresses_need_a_hash_and_repositories_a_commit(project_of) -> None:
    text = (
        f"a @ git+https://example.org/a@{COMMIT}\nb @ git+https://example.org/b@main\nhttp://example.org/c-1.0.tar.gz\n"
        f"d @ https://example.org/d.whl --hash=sha256:{'a' * 64}\n"
    )
    project = project_of({"requirements.txt": text})
    assert told(project) == ["unverified-source@requirements.txt:2", "unverified-source@requirements.txt:3"]
    assert "unencrypted" in examine(project).findings[1].title


def test_where_packages_come_from(project_of) -> None:
    text = (
        "--index-url http://pkgs.example.org/simple\n--extra-index-url https://pkgs.example.org/simple\n"
        "--extra-index-url https://download.pytorch.org/whl/cpu\n--trusted-host pkgs.example.org\nsix==1.16\n"
    )
    assert told(project_of({"requirements.txt": text})) == [
        "plain-http-index@requirements.txt:1",
        "extra-index@requirements.txt:2",
        "trusted-host@requirements.txt:4",
    ]


def test_indexes_in_settings_and_commands(project_of) -> None:
    files = {
        "pip.conf": "[global]\nextra-index-url = https://pkgs.example.org/simple\n",
        "Dockerfile": "FROM python:3.12\nRUN pip install --trusted-host x.example.org -i http://x.example.org six\n",
        "Pipfile": '[[source]]\nurl = "http://x.example.org"\nverify_ssl = false\n[packages]\n',
    }
    assert told(project_of(files)) == [
        "plain-http-index@Pipfile:2",
        "trusted-host@Pipfile:3",
        "extra-index@pip.conf:2",
        "plain-http-index@Dockerfile:2",
        "trusted-host@Dockerfile:2",
    ]


def test_credentials_in_an_address_are_not_shown(project_of) -> None:
    project = project_of({"requirements.txt": "--extra-index-url https://me:hunter22x@pkgs.example.org/simple\nsix==1.16\n"})
    (finding,) = examine(project).findings
    assert "hunter22x" not in repr(finding)


def test_actions_by_tag(project_of) -> None:
    text = (
        "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n      - uses: ./local\n"
        f"      - uses: third/party@{COMMIT}\n      - uses: third/party@v1\n      - name: x\n        uses: other/one/sub@main\n"
    )
    secret = text + "        with: {key: '${{ secrets.DEPLOY }}'}\n"
    assert told(project_of({".github/workflows/ci.yml": secret})) == ["mutable-action@.github/workflows/ci.yml:7"]
    assert told(project_of({".github/workflows/ci.yml": text})) == [], "a workflow that only reads has nothing to lose"


def test_an_image_that_an_anchor_builds_is_an_output(project_of) -> None:
    made = "services:\n  web: &web\n    image: web:latest\n    build: .\n  worker:\n    <<: *web\n    image: worker\n"
    other = "  cache: &cache\n    image: redis\n  second:\n    <<: *cache\n    image: redis\n"
    assert told(project_of({"docker-compose.yml": made})) == []
    assert told(project_of({"docker-compose.yml": made + other})) == ["mutable-image@docker-compose.yml:9"]


def test_images_without_a_version(project_of) -> None:
    files = {
        "Dockerfile": "FROM --platform=linux/amd64 python:3.12 AS build\nFROM build\nFROM scratch\nFROM ${BASE}\nFROM debian\n",
        "ok/Dockerfile": f"FROM debian@sha256:{'a' * 64}\nFROM registry:5000/x:1.2\n",
        "docker-compose.yml": "services:\n  a:\n    image: me/app:latest\n    build: .\n  b:\n    image: postgres:latest\n",
    }
    assert told(project_of(files)) == ["mutable-image@Dockerfile:5", "mutable-image@docker-compose.yml:6"]


@pytest.mark.rule("A16")
def test_every_manifest_is_an_item_and_absence_is_on_record(project_of) -> None:
    found = examine(project_of({"requirements.txt": "six==1.16\n", "Dockerfile": "FROM python:3.12\n"}))
    assert [(item.kind, item.location.path, item.judged) for item in found.items] == [
        ("manifest", "requirements.txt", True),
        ("reference", "Dockerfile", True),
    ]
    assert [(search.kind, search.hits) for search in found.searches] == [("manifest", 1), ("lock", 0), ("reference", 1)]


@pytest.mark.rule("A15")
def test_without_vulnerability_data_no_search_claims_to_have_looked(project_of) -> None:
    found = examine(project_of({"requirements.txt": "six==1.16\n"}))
    assert KNOWN_VULNERABILITIES not in {search.kind for search in found.searches} | {item.kind for item in found.items}
    assert found.limitations == (), "coverage says that CVEs were not checked, once"
