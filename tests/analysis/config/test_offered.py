"""Which files of a published package somebody who installs it can get to run (A10)."""

from collections.abc import Callable

import pytest

from counterproof.analysis.config.offered import is_loaded, is_packed
from counterproof.analysis.project import Project

MakeProject = Callable[[dict[str, str]], Project]
PACKAGE = '{"name": "p", "main": "lib/index.js", "bin": {"p": "bin/p.js"}, "exports": {"./extra": {"require": "./extra.js"}}}'
FILES = {
    "package.json": PACKAGE,
    "lib/index.js": "const a = require('./a'); import('./later');\n",
    "lib/a.js": 'export * from "./b";\n',
    "lib/b.js": "exports.b = 1;\n",
    "lib/later.js": "exports.c = 1;\n",
    "bin/p.js": "exports.d = 1;\n",
    "extra.js": "exports.e = 1;\n",
    "src/a.js": "exports.b = 1;\n",
}


def test_files_behind_main_exports_and_programs_are_loaded_and_others_are_not(make_project: MakeProject) -> None:
    project = make_project(FILES)
    assert {path for path in FILES if path.endswith(".js") and not is_loaded(project, path)} == {"src/a.js"}


@pytest.mark.parametrize(
    "change",
    [
        {"package.json": PACKAGE.replace("{", '{"private": true, ', 1)},
        {"package.json": '{"main": "lib/index.js"}'},
        {"lib/index.js": "module.exports = (name) => require('../src/' + name);\n"},
        {"lib/index.js": "module.exports = (name) => import(name);\n"},
        {"lib/index.js": f"exports.a = [{'1, ' * 600}1];\n"},
        {"package.json": PACKAGE.replace("lib/index", "dist/index"), "dist/index.js": "exports.a = 1;\n"},
        {"lib/index.js": "module.exports = require('../dist/made-by-the-build');\n"},
        {"lib/index.js": "exports.handler = resolve('../src/a');\n"},
    ],
)
def test_in_doubt_every_file_counts_as_loaded(make_project: MakeProject, change: dict[str, str]) -> None:
    assert is_loaded(make_project(FILES | change), "src/a.js")


def test_what_a_build_made_is_not_read_beside_its_sources(make_project: MakeProject) -> None:
    built = {"package.json": PACKAGE.replace("lib/index", "dist/bundle"), "dist/bundle.js": "exports.a = 1;\n"}
    alone = {path: text for path, text in FILES.items() if not path.startswith("src/")}
    assert is_loaded(make_project(alone | built), "dist/bundle.js")
    assert not is_loaded(make_project(FILES | built), "dist/bundle.js")


def test_a_picture_on_one_line_does_not_make_a_file_packed() -> None:
    written = "function draw(canvas) {\n  canvas.clear();\n}\n" * 40
    assert not is_packed(written + f'const picture = "{"A" * 1_500}";\n')
    assert is_packed(f"{'var a=1;' * 200}\n" + "// licence\n")
    assert is_packed(f"{'let b = call(1, 2, 3); ' * 8}\n" * 30)


def test_a_release_of_a_library_that_an_application_brings_along_is_not_its_own(make_project: MakeProject) -> None:
    head = "/*!\n * Shiny v1.4.2 (https://shiny.example)\n * Copyright 2014 Shiny\n * MIT License\n */\n"
    files = {"static/shiny.js": head + "var a = 1;\n", "static/main.js": "/*! start */\nvar b = 1;\n", "app.py": "x = 1\n"}
    project = make_project(files)
    assert not is_loaded(project, "static/shiny.js")
    assert is_loaded(project, "static/main.js")
    assert is_loaded(make_project({**files, "package.json": '{"name": "shiny"}'}), "static/shiny.js")
    assert not is_loaded(make_project({**files, "package.json": '{"name": "tooltips"}'}), "static/shiny.js")


def test_a_build_is_not_made_of_a_file_that_shares_the_first_part_of_its_name(make_project: MakeProject) -> None:
    files = {"package.json": '{"name": "tip", "main": "dist/jquery.tip.js"}', "lib/jquery.js": "var a = 1;\n", "src/core.js": ""}
    assert is_loaded(make_project(files), "src/core.js")
    imports = {**files, "src/jquery.tip.js": "import './arrow';\n", "src/arrow.js": "var b = 1;\n"}
    assert not is_loaded(make_project(imports), "src/core.js")


def test_a_build_of_a_file_that_imports_nothing_is_made_of_others_too(make_project: MakeProject) -> None:
    files = {"package.json": '{"name": "tip", "main": "dist/tip.js"}', "src/tip.js": "var a = 1;\n", "src/modules/arrow.js": ""}
    assert is_loaded(make_project(files), "src/modules/arrow.js")
    assert not is_loaded(make_project({**files, "package.json": '{"name": "tip", "main": "src/tip.js"}'}), "src/modules/arrow.js")


@pytest.mark.parametrize("pattern", ["./lib/formatters/*.js", "./lib/*.js"])
def test_what_a_pattern_of_a_manifest_names_is_loaded(make_project: MakeProject, pattern: str) -> None:
    manifest = '{"name": "p", "main": "./lib/index.js", "exports": {"./formatters/*": "PATTERN"}}'.replace("PATTERN", pattern)
    files = {"package.json": manifest, "src/index.ts": "import './diff';\n", "src/diff.ts": "", "src/formatters/html.ts": ""}
    assert is_loaded(make_project(files), "src/formatters/html.ts")
    without = {**files, "package.json": '{"name": "p", "main": "./lib/index.js"}'}
    assert not is_loaded(make_project(without), "src/formatters/html.ts")


def test_a_package_at_the_top_needs_no_main_in_its_manifest(make_project: MakeProject) -> None:
    project = make_project({"package.json": '{"name": "p", "version": "1.0.0"}', "index.js": "exports.a = 1;\n"})
    assert is_loaded(project, "index.js")
