"""Which file an import of JavaScript or TypeScript means."""

import pytest

from counterproof.analysis.syntax.javascript.resolution import Aliases, Manifest, Resolver

PATHS = frozenset(
    {
        "app/index.js",
        "app/lib/run.ts",
        "app/lib/deep/index.tsx",
        "app/src/core/log.js",
        "packages/tools/source/main.js",
        "packages/tools/extra.js",
        "packages/bare/one.js",
        "packages/bare/two.js",
        "packages/bare/inner/three.js",
        "site/index.js",
    }
)
MANIFESTS = (
    Manifest("app", '{"name": "app"}'),
    Manifest("packages/tools", '{"name": "@our/tools", "exports": {".": {"import": "./source/main.js"}}}'),
    Manifest("packages/bare", '{"name": "bare"}'),
    Manifest("site", '{"name": "site", "private": true}'),
)
RESOLVER = Resolver(PATHS, MANIFESTS)


@pytest.mark.parametrize(
    ("origin", "module", "file"),
    [
        ("app/index.js", "./lib/run", "app/lib/run.ts"),
        ("app/index.js", "./lib/run.js", "app/lib/run.ts"),
        ("app/index.js", "./lib/deep", "app/lib/deep/index.tsx"),
        ("app/lib/deep/index.tsx", "../..", "app/index.js"),
        ("app/lib/deep/index.tsx", "@/core/log", "app/src/core/log.js"),
        ("app/index.js", "@our/tools", "packages/tools/source/main.js"),
        ("app/index.js", "@our/tools/extra", "packages/tools/extra.js"),
        ("app/index.js", "express", None),
        ("app/index.js", "./missing", None),
    ],
)
def test_imports_lead_to_files(origin: str, module: str, file: str | None) -> None:
    assert RESOLVER.file(origin, module) == file


def test_names_of_files_and_of_packages_never_meet() -> None:
    assert RESOLVER.resolve("app/index.js", "./lib/run") == "/app/lib/run:ts.<exports>"
    assert RESOLVER.resolve("app/index.js", "node:fs/promises") == "fs.promises"


def test_packages_offer_their_main_file_or_all_files_at_the_top() -> None:
    assert RESOLVER.mains() == (
        "app/index.js",
        "packages/tools/source/main.js",
        "packages/bare/one.js",
        "packages/bare/two.js",
    )


@pytest.mark.parametrize(
    ("paths", "main", "offered"),
    [
        pytest.param({"dist/a.js", "src/a.ts"}, "dist/a.js", ("src/a.ts",), id="a build that is kept beside its sources"),
        pytest.param({"lib/a.js", "src/b.js"}, "lib/a.js", ("lib/a.js",), id="code in a folder that is named like a build"),
        pytest.param({"dist/a.js"}, "dist/a.js", ("dist/a.js",), id="a build without its sources"),
        pytest.param(
            {"src/index.node.ts", "src/index.web.ts", "src/parts/c.ts"},
            "dist/node.js",
            ("src/index.node.ts", "src/index.web.ts"),
            id="a build of which nobody can tell what it is made of",
        ),
    ],
)
def test_what_a_build_offers_is_looked_for_among_the_sources(paths: set[str], main: str, offered: tuple[str, ...]) -> None:
    manifest = Manifest("", f'{{"name": "a", "main": "{main}"}}')
    assert Resolver(frozenset(paths), (manifest,)).mains() == offered


ALIASES = """
{
  // names of folders
  "compilerOptions": {
    "baseUrl": "./",
    "paths": { "@lib/*": ["lib/*"], "~log": ["src/core/log.js"], }, /* both */
  },
}
"""


@pytest.mark.parametrize(
    ("module", "path"),
    [
        ("@lib/run", "app/lib/run.ts"),
        ("~log", "app/src/core/log.js"),
        ("lib/deep", "app/lib/deep/index.tsx"),
        ("@lib/nothing", None),
        ("react", None),
    ],
)
def test_aliases_of_the_compiler_are_followed(module: str, path: str | None) -> None:
    resolver = Resolver(PATHS, MANIFESTS, (Aliases("app", ALIASES),))
    assert resolver.file("app/index.js", module) == path


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"compilerOptions": []}', '{"compilerOptions": {"paths": {"a": 1}}}', "[" * 9_999]
)
def test_a_broken_configuration_names_nothing(text: str) -> None:
    assert Aliases("app", text).candidates("a") == []
