"""X16: nothing that a tree holds, and nothing that an agent asks for, takes more than its share of time and memory.

The row speaks of a million files; 50,000 are made here, because making a million takes longer than reviewing them. The walk is
linear, and its limits are the same.
"""

import ast
import gzip
import re
import shutil
import time
import tracemalloc
import zipfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

import counterproof
from counterproof.analysis.confinement import Bounds
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.survey import SkipReason, Survey
from counterproof.toolbox import search
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.corpus import Corpus
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.tools import Tools
from toolbox.tooling import a_project, a_task, a_tree, tools_on

MEGABYTE = 1 << 20


@contextmanager
def within(seconds: float, megabytes: int) -> Generator[None]:
    """Fails when the block takes longer, or holds more at its peak (0: not measured). A cap is meant, not a speed."""
    if megabytes:
        tracemalloc.start()
    started = time.monotonic()
    try:
        yield
        assert time.monotonic() - started < seconds
        assert tracemalloc.get_traced_memory()[1] <= megabytes * MEGABYTE
    finally:
        tracemalloc.stop()


def skipped(found: Survey, path: str) -> tuple[SkipReason, str]:
    (entry,) = [each for each in found.skipped if each.path == path]
    return entry.reason, entry.detail


@pytest.mark.rule("X16")
@pytest.mark.parametrize(
    "pattern", [r"(a+)+$", r"(a|aa)+$", r"(.*a){20}b", r"(\w+\s?)+=", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(a?){500}a{500}"]
)
def test_patterns_that_ruin_backtracking_engines(tmp_path: Path, pattern: str) -> None:
    lines = "".join(f"x{number} = '{'a' * 10_000}!'\n" for number in range(100))
    tools = tools_on(a_tree(tmp_path, {"a.py": lines}))
    with within(seconds=15, megabytes=100):
        tools.grep(pattern)


@pytest.mark.rule("X16")
@pytest.mark.parametrize("pattern", [r"\w{1000}{1000}", r"(((x{100}){100}){100}){100}", "(" * 400 + ")" * 400, r"\pL{5000}"])
def test_patterns_that_would_fill_the_memory(tmp_path: Path, pattern: str) -> None:
    tools = tools_on(a_tree(tmp_path))
    with within(seconds=15, megabytes=100), pytest.raises(ToolRefused, match="pattern"):
        tools.grep(pattern)


@pytest.mark.rule("X16")
def test_a_search_over_its_time_is_a_refusal_not_an_empty_result(tmp_path: Path) -> None:
    corpus = Corpus(project := a_project(a_tree(tmp_path)), project.text)
    with pytest.raises(ToolRefused, match="it took too long"):
        search.find(corpus.select(["app.py"]), "a", bounds=Bounds(seconds=0.0))
    with pytest.raises(ToolRefused, match="it printed too much"):
        search.find(corpus.select(["app.py"]), ".", bounds=Bounds(output_bytes=1))


@pytest.mark.rule("X16")
def test_a_search_that_hits_everything_is_cut_and_says_so(tmp_path: Path) -> None:
    tools = tools_on(a_tree(tmp_path, {"a.py": "x = 1\n" * 50_000}))
    found = tools.grep("x")
    assert (found.hits, found.more, len(found.shown)) == (search.MAX_HITS, True, 100)


@pytest.mark.rule("X16")
def test_a_sparse_file_of_ten_gigabytes(tmp_path: Path) -> None:
    root = a_tree(tmp_path)
    for name in ("huge.py", "huge.json", "huge.bin"):
        with (root / name).open("wb") as file:
            file.truncate(10 << 30)
    with within(seconds=5, megabytes=30):
        found = survey(root)
    for name, reason in (("huge.py", SkipReason.TOO_LARGE), ("huge.json", SkipReason.BINARY), ("huge.bin", SkipReason.BINARY)):
        assert skipped(found, name) == (reason, "10,737,418,240 bytes, the limit is 2,000,000")
    with within(seconds=10, megabytes=30):
        assert tools_on(root).grep("def").hits == 4


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """50,000 files in 50 folders."""
    root = tmp_path_factory.mktemp("crowded")
    for folder in range(50):
        place = root / f"d{folder:02}"
        place.mkdir()
        for number in range(1_000):
            (place / f"m{number:03}.py").write_bytes(b"x = 1\n")
    yield root
    shutil.rmtree(root)


@pytest.mark.rule("X16")
def test_fifty_thousand_files(crowded: Path) -> None:
    with within(seconds=60, megabytes=0):
        found = survey(crowded)
    assert len(found.files) == 50_000


@pytest.mark.rule("X16")
def test_the_file_limit_holds_and_is_reported(crowded: Path) -> None:
    with within(seconds=30, megabytes=0):
        project = a_project(crowded, SurveyOptions(max_files=500))
        found = Tools(Bench(project), a_task()).grep("x = 1")
    assert len(project.survey.files) == found.hits == 500
    assert any(each.reason is SkipReason.LIMIT and each.files >= 40_000 for each in project.survey.skipped)
    assert any("49,500 files were not reviewed" in sentence for sentence in project.survey.limitations)


@pytest.mark.rule("X16")
def test_one_giant_line(tmp_path: Path) -> None:
    root = a_tree(
        tmp_path, {"giant.py": "x = '" + "a" * 1_900_000 + "'\n", "giant.json": '"' + "b" * 1_900_000 + '"\n', "a.py": "y = 1\n"}
    )
    with within(seconds=20, megabytes=150):
        found = survey(root)
        assert skipped(found, "giant.py") == (SkipReason.LONG_LINES, "a line of more than 20,000 characters")
        tools = tools_on(root)
        shown = tools.read("giant.json", 1, 1).lines[0].text
        hit = tools.grep("b+").shown[0]
    assert len(shown) < 3_000
    assert len(hit.text) < 3_000


@pytest.mark.rule("X16")
def test_deeply_nested_code_and_folders_are_bounded(tmp_path: Path) -> None:
    files = {
        "brackets.py": "x = " + "(" * 9_000 + ")" * 9_000 + "\n",
        "calls.py": "x = " + "f(" * 9_000 + ")" * 9_000 + "\n",
        "blocks.py": "".join("  " * depth + "if x:\n" for depth in range(500)) + "  " * 500 + "pass\n",
        "operators.py": "x = " + "-" * 19_000 + "1\n",
        "fine.py": "def seen():\n    pass\n",
    }
    root = a_tree(tmp_path, files)
    deepest = root
    for _ in range(300):
        deepest = deepest / "d"
        deepest.mkdir()
    (deepest / "buried.py").write_text("x = 1\n")
    tools = tools_on(root)
    with within(seconds=60, megabytes=500):
        assert [each.path for each in tools.symbols("seen").units] == ["fine.py"]
        assert tools.grep("def seen").files == ("fine.py",)
    assert any(each.reason is SkipReason.LIMIT and "levels deep" in each.detail for each in survey(root).skipped)


@pytest.mark.rule("X16")
def test_bombs_are_never_unpacked_or_loaded(tmp_path: Path) -> None:
    laughs = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(ord('a') + n)}: &{chr(ord('a') + n)} [{','.join(['*' + chr(ord('a') + n - 1)] * 9)}]\n" for n in range(1, 20)
    )
    entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(ord("a") + n)} "{("&" + chr(ord("a") + n - 1) + ";") * 10}">' for n in range(1, 20)
    )
    root = a_tree(tmp_path, {"bomb.yaml": laughs, "bomb.xml": entities + "]><x>&t;</x>\n", "a.py": "x = 1\n"})
    with zipfile.ZipFile(root / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive, archive.open("zeros", "w") as zeros:
        for _ in range(64):
            zeros.write(b"\0" * MEGABYTE)
    (root / "bomb.whl").write_bytes((root / "bomb.zip").read_bytes())
    with within(seconds=10, megabytes=30):
        found = survey(root)
        tools = tools_on(root)
        assert tools.read("bomb.yaml", 1, 2).lines[0].text.startswith("a: &a [x,x")
        assert tools.grep(r"\*s,").files == ("bomb.yaml",)
        assert tools.grep("&t;").files == ("bomb.xml",)
    assert skipped(found, "bomb.zip")[0] is skipped(found, "bomb.whl")[0] is SkipReason.BINARY


LOADERS = frozenset(
    (
        "bz2",
        "gzip",
        "lzma",
        "marshal",
        "pickle",
        "plistlib",
        "shelve",
        "tarfile",
        "xml",
        "yaml",
        "ruamel",
        "zipfile",
        "zipimport",
        "zlib",
    )
)


BOUNDED = {
    "agents/models/transport.py": {"zlib"},  # a reply that a proxy packed: into at most the size that a reply may have
    "analysis/cache/store.py": {"zlib"},  # our own entries: into at most the size of one
    "analysis/dependencies/maven.py": {"xml"},  # expat, which refuses document types here, so that no entity can grow
    "analysis/dependencies/osv/archive.py": {"zipfile", "zlib"},  # the user's own file, entry by entry within bounds
    "analysis/source/archives.py": {
        "bz2",
        "gzip",
        "tarfile",
        "zipfile",
        "zlib",
    },  # archives of the target, within sizes and counts
    "analysis/text/encodings.py": {"zlib"},  # packed text in a comment: into at most a few kilobytes
    "app/osv_store.py": {"zipfile"},  # what the user fetched: the beginning of one entry
    "demonstration/sandbox/copying.py": {"tarfile"},  # only packs: plain files and folders of the snapshot, up to a size
    "demonstration/sandbox/launcher.py": {"tarfile"},  # unpacks what the engine packed, into the sandbox's own bounded memory
    "demonstration/sandbox/running.py": {"tarfile"},  # hands on what the engine packed
    "demonstration/templates.py": {"pickle"},  # only packs: an input for a target in the sandbox
    "reports/sarif/limits.py": {"gzip"},  # only packs, to know the size
}
"""Who may use which of them, and why that is no bomb. Each has tests of its own with one."""

UNBOUNDED = re.compile(r"\b(zlib|gzip)\.decompress\(|\bpickle\.loads?\(|\.extract(all)?\(|\bgzip\.(open|GzipFile)\(")


@pytest.mark.rule("X16")
def test_nothing_in_the_package_can_unpack_or_load_a_bomb() -> None:
    package = Path(counterproof.__file__).parent
    sources = sorted(package.rglob("*.py"))
    assert len(sources) > 100
    users: dict[str, set[str]] = {}
    for path in sources:
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            used = {name.split(".")[0] for name in names} & LOADERS
            if used:
                users.setdefault(str(path.relative_to(package)), set()).update(used)
                assert not UNBOUNDED.search(text), path
    assert users == BOUNDED


@pytest.mark.rule("A64", "X16")
@pytest.mark.parametrize(("kind", "named"), [("gz", True), ("zip", False)])
def test_an_archive_that_unpacks_to_a_gigabyte_is_searched_within_bounds(kind: str, named: bool, tmp_path: Path) -> None:
    """Of a zip file only the beginning of each entry is unpacked."""
    root = tmp_path / "code"
    root.mkdir()
    (root / "main.py").write_text(f"load('data.{kind}')\n")
    with ExitStack() as stack:
        if kind == "gz":
            packed = stack.enter_context(gzip.open(root / "data.gz", "wb"))
        else:
            archive = stack.enter_context(zipfile.ZipFile(root / "data.zip", "w", zipfile.ZIP_DEFLATED))
            packed = stack.enter_context(archive.open("rows", "w"))
        for _ in range(1 << 10):
            packed.write(bytes(1 << 20))
    with within(seconds=20, megabytes=300):
        unread = survey(root).unread
    assert [each.why.endswith("could not be searched to its end") for each in unread] == [True] * named
