"""Libraries as data: ours are well formed, a user's own count, and a broken one is refused by name."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from counterproof.analysis import libraries
from counterproof.analysis.cache.keys import program_digest
from counterproof.analysis.inventory.domains import packages
from counterproof.analysis.libraries.concepts import KINDS, Sink
from counterproof.analysis.libraries.files import expanded, library_from, shipped
from counterproof.model.errors import InvalidValue, UserError
from counterproof.model.survey import Language

OURS = Path(libraries.__file__).parent
FILES = sorted(OURS.glob("*/*.toml"))
CACHED = (libraries.libraries, libraries.sinks, libraries.names, libraries.kinds_of, packages, program_digest)

APP = """
    from flask import Flask, request
    import acme.shell

    app = Flask(__name__)

    @app.route("/run")
    def run():
        return acme.shell.launch(request.args["command"])
    """


def forget() -> None:
    """Libraries are loaded once a process; here several sets of them follow one another."""
    for each in CACHED:
        each.cache_clear()


EXAMINE = """
import sys
from pathlib import Path
from counterproof.analysis import flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey

project = Project(Path(sys.argv[1]), survey(Path(sys.argv[1])))
rules = tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule))
for each in flow.examine(project, rules, entry_points(project)).findings:
    print(f"{each.rule}:{each.location.start}")
"""


@pytest.fixture
def fresh(home: Path) -> Iterator[Path]:
    """The user's folder of libraries; what was loaded without it is forgotten before and after."""
    forget()
    yield home / "libraries"
    forget()


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(dedent(text), "utf-8")


def findings(folder: Path) -> set[str]:
    """Rule and line of what a process of its own finds; rules are loaded once a process."""
    write(folder, "app.py", APP)
    said = subprocess.run([sys.executable, "-c", EXAMINE, str(folder)], capture_output=True, text=True, check=True)
    return set(said.stdout.split())


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_each_file_is_well_formed_and_says_something(path: Path) -> None:
    library, _ = library_from(path.stem, path.parent.name, path.read_bytes())
    assert library.sinks or library.names
    assert path.parent.name in libraries.LANGUAGES


def test_every_kind_is_brought_by_some_library() -> None:
    brought = {("sink", kind) for each in libraries.LANGUAGES for one in libraries.libraries(each) for kind in one.sinks}
    brought |= {key for each in libraries.LANGUAGES for one in libraries.libraries(each) for key in one.names if KINDS[key[0]]}
    assert {(concept, kind) for concept, kinds in KINDS.items() for kind in kinds} == brought


def test_names_share_parts() -> None:
    assert list(expanded("{a,b.c}.{x,y}()")) == ["a.x()", "a.y()", "b.c.x()", "b.c.y()"]
    assert list(expanded("plain.name")) == ["plain.name"]


def test_what_is_known_of_a_library_comes_before_bare_method_names() -> None:
    calls = [each.call for each in libraries.sinks("redirect")]
    assert calls.index("werkzeug.utils.redirect") < calls.index("*.redirect")


def test_a_kind_of_receivers_stands_for_every_library_that_brings_one() -> None:
    execute = next(each for each in libraries.sinks("sql") if each.call == "*.execute")
    assert {"sqlite3.", "psycopg2.", "asyncpg."} <= set(execute.receiver_from)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[sink]\nsqll = ['a.b']", "no kind 'sqll' of sink"),
        ("[sanitizer]\nhtml = ['a.b']", "no concept 'sanitizer'"),
        ("[sink]\nsql = [{ calls = ['a.b'], argument = [0] }]", "no 'argument'"),
        ("[sink]\nsql = [{ calls = 'a.b' }]", "list of texts"),
        ("[sink]\nsql = 'a.b'", "a list of names and tables"),
        ("[[sink]]\ncalls = ['a.b']", "sink takes a table"),
        ("[sink]\nsql = [{ calls = ['a.b'], arguments = [true] }]", "positions and keywords"),
        ("title = 3", "title takes a text"),
        ("title = ", "Invalid value"),
        ("sanitiser = 3", "sanitiser takes a table"),
    ],
)
def test_a_misspelt_file_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidValue, match=said):
        library_from("mine", "python", text.encode())


def test_a_huge_file_is_refused() -> None:
    with pytest.raises(InvalidValue, match="more than"):
        library_from("mine", "python", b"#" * 300_000)


def test_the_users_own_library_counts(fresh: Path, tmp_path: Path) -> None:
    write(
        fresh, "python/acme.toml", """
        title = "Acme"
        [sink]
        command-execution = ["acme.shell.launch"]
        """,
    )  # fmt: skip
    assert "command-injection:9" in findings(tmp_path / "app")


def test_without_it_nothing_is_known_of_the_call(fresh: Path, tmp_path: Path) -> None:
    assert "command-injection:9" not in findings(tmp_path / "app")


def test_a_library_in_the_target_is_not_read(fresh: Path, tmp_path: Path) -> None:
    write(tmp_path / "app", "libraries/python/acme.toml", "[sink]\ncommand-execution = ['acme.shell.launch']")
    assert "command-injection:9" not in findings(tmp_path / "app")


def test_one_of_our_name_takes_its_place_or_adds_to_it(fresh: Path) -> None:
    ours = "flask.redirect"
    write(fresh, "python/flask.toml", "[sink]\nredirect = ['flask.elsewhere']")
    assert ours not in {each.call for each in libraries.sinks("redirect")}
    forget()
    write(fresh, "python/flask.toml", "extends = true\n[sink]\nredirect = ['flask.elsewhere']")
    assert {ours, "flask.elsewhere"} <= {each.call for each in libraries.sinks("redirect")}


def test_a_broken_one_is_named(fresh: Path) -> None:
    write(fresh, "python/acme.toml", "[sink]\nnonsense = ['a.b']")
    with pytest.raises(UserError, match=r"acme\.toml is broken: there is no kind 'nonsense'"):
        libraries.sinks("sql")


def test_results_are_kept_apart_by_the_users_libraries(fresh: Path) -> None:
    before = program_digest()
    program_digest.cache_clear()
    write(fresh, "python/acme.toml", "title = 'Acme'")
    assert program_digest() != before


def test_what_is_kept_of_a_folder_is_dropped_when_a_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    write(tmp_path, "python/one.toml", "[sink]\nsql = ['one.run']")
    first = list(shipped(tmp_path / "python"))
    assert list(tmp_path.glob("__pycache__/*.libraries"))
    assert list(shipped(tmp_path / "python")) == first
    write(tmp_path, "python/one.toml", "[sink]\nsql = ['one.other']")
    assert [each.sinks["sql"] for each in shipped(tmp_path / "python")] == [(Sink("one.other"),)]


def test_typescript_has_the_libraries_of_javascript() -> None:
    assert libraries.sinks("sql", Language.TYPESCRIPT) == libraries.sinks("sql", Language.JAVASCRIPT)


def test_names_of_the_users_modules_count_as_those_of_the_public_one(fresh: Path) -> None:
    assert libraries.public_name("flask.helpers.send_file") == "flask.send_file"
    assert libraries.public_name("acme.inner.launch") == "acme.inner.launch"
    forget()
    write(fresh, "python/acme.toml", 'alias."acme.shell" = ["acme.inner"]')
    assert libraries.public_name("acme.inner.launch") == "acme.shell.launch"


def test_a_library_stands_for_the_domain_of_most_of_its_sinks(fresh: Path) -> None:
    write(fresh, "python/store.toml", "sink.sql = ['acme_store.run']")
    write(fresh, "python/kit.toml", "sink.sql = ['acme_kit.run']\nsink.html = ['acme_kit.run', 'acme_kit.run']")
    write(fresh, "python/said.toml", "domain.sql-injection = ['acme.said']\nsink.sql = ['acme.run']")
    found = packages("python", "sql-injection")
    assert {"acme-store", "acme.said", "duckdb", "django.db", "sqlite3"} <= found
    assert not found & {"acme-kit", "acme", "flask", "pandas"}
