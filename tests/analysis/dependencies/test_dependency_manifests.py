"""Every kind of manifest and lock, with the exact line of each dependency (A7)."""

import pytest

from counterproof.analysis.dependencies import read_dependencies

CASES = {
    "requirements.txt": ("# top\nflask==2.0.1  # web\n\nrequests \\\n  >=2.0\n-e .\n", ["flask:2.0.1@2", "requests:>=2.0@4"]),
    "pyproject.toml": (
        (
            '[project]\nname = "x"\ndependencies = [\n  "flask>=2",\n  "idna==3.4",\n]\n[project.optional-dependencies]\n'
            'dev = ["pytest"]\n[dependency-groups]\nlint = ["ruff==0.1", {include-group = "dev"}]\n'
            '[tool.poetry.dependencies]\npython = "^3.11"\ncelery = "5.3.1"\nkombu = {version = "^5"}\n'
            '[tool.poetry.group.docs.dependencies]\nsphinx = "*"\n'
        ),
        ["flask:>=2@4", "idna:3.4@5", "pytest:*@8", "ruff:0.1@10", "celery:5.3.1@13", "kombu:^5@14", "sphinx:*@16"],
    ),
    "setup.cfg": (
        (
            "[metadata]\nname = x\n[options]\ninstall_requires =\n    flask>=2\n    # comment\n    six==1.16\n"
            "[options.extras_require]\ndev = pytest\n"
        ),
        ["flask:>=2@5", "six:1.16@7", "pytest:*@9"],
    ),
    "setup.py": (
        (
            "from setuptools import setup\nDEPS = [\n    'flask>=2',\n]\nsetup(\n    name='x',\n    install_requires=DEPS,\n"
            "    extras_require={'a': ['six==1.16']},\n)\n"
        ),
        ["flask:>=2@3", "six:1.16@8"],
    ),
    "Pipfile": (
        '[[source]]\nurl = "https://pypi.org/simple"\n[packages]\nflask = "*"\nsix = "==1.16"\n[dev-packages]\npytest = ">=7"\n',
        ["flask:*@4", "six:1.16@5", "pytest:>=7@7"],
    ),
    "Pipfile.lock": (
        '{\n "default": {\n  "flask": {\n   "version": "==2.0"\n  }\n },\n "develop": {\n  "pytest": {"version": "==7"}\n }\n}\n',
        ["flask:2.0@3", "pytest:7@8"],
    ),
    "poetry.lock": (
        '[[package]]\nname = "flask"\nversion = "2.0"\n\n[[package]]\nname = "six"\nversion = "1.16"\n',
        ["flask:2.0@2", "six:1.16@6"],
    ),
    "uv.lock": (
        (
            '[[package]]\nname = "me"\nversion="1"\nsource = { editable = "." }\n\n[[package]]\nname = "six"\nversion = "1.16"\n'
            'source = { registry = "https://pypi.org/simple" }\n'
        ),
        ["six:1.16@7"],
    ),
    "pdm.lock": ('[[package]]\nname = "six"\nversion = "1.16"\n', ["six:1.16@2"]),
}


@pytest.mark.rule("A7")
@pytest.mark.parametrize("name", CASES)
def test_each_manifest(project_of, name: str) -> None:
    text, expected = CASES[name]
    found = read_dependencies(project_of({name: text}))
    assert [f"{each}@{each.declared.start}" for each in found.dependencies] == expected
    assert {each.declared.path for each in found.dependencies} == {name}
    assert found.manifests == (name,)
    assert found.limitations == ()


@pytest.mark.rule("A7")
def test_a_manifest_that_declares_nothing_is_still_named(project_of) -> None:
    found = read_dependencies(project_of({"requirements.txt": "# none\n"}))
    assert found.dependencies == ()
    assert found.manifests == ("requirements.txt",)


def test_includes_stay_in_the_tree_and_are_read_once(project_of) -> None:
    found = read_dependencies(
        project_of(
            {
                "requirements.txt": "-r deps/base.lst\n-r requirements.txt\n-r ../../outside.txt\nflask\n",
                "deps/base.lst": "six==1.16\n-r ../requirements.txt\n",
            }
        )
    )
    assert [str(each) for each in found.dependencies] == ["six:1.16", "flask:*"]
    assert len(found.limitations) == 1
    assert "outside.txt" in found.limitations[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[project\n"),
        ("pyproject.toml", "x = " + "[" * 5_000),
        ("uv.lock", "a." * 15_000 + "b = 1\n"),
        ("Pipfile.lock", "[" * 100_000),
        ("Pipfile.lock", "{]"),
    ],
)
@pytest.mark.rule("X16")
def test_what_does_not_parse_is_a_limitation(project_of, name: str, text: str) -> None:
    found = read_dependencies(project_of({name: text}))
    assert found.dependencies == ()
    assert len(found.limitations) == 1
    assert name in found.limitations[0]


def test_shapes_that_no_tool_writes_are_survived(project_of) -> None:
    files = {
        "pyproject.toml": 'project = 5\ntool = "x"\n[dependency-groups]\na = 7\n',
        "Pipfile": "packages = 3\n[dev-packages]\nx = 5\n",
        "poetry.lock": "package = [1, {name = 5}]\n",
        "Pipfile.lock": '{"default": [1], "develop": {"a": 5}}',
    }
    found = read_dependencies(project_of(files))
    assert found.manifests == tuple(sorted(files))


@pytest.mark.rule("X15")
def test_setup_py_is_never_run(project_of, tmp_path) -> None:
    trap = tmp_path / "trap"
    code = f"open({str(trap)!r}, 'w')\nfrom setuptools import setup\nsetup(install_requires=open('r.txt').read().split())\n"
    found = read_dependencies(project_of({"setup.py": code}))
    assert not trap.exists()
    assert found.limitations == ("setup.py:3 computes its requirements; they are not known",)
