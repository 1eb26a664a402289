"""Manifests and lock files of other ecosystems: names, versions, exact lines, and what is wrong with them."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from counterproof.analysis.dependencies import examine, read_dependencies
from counterproof.analysis.dependencies.maven import read_pom
from counterproof.analysis.project import Project

ProjectMaker = Callable[[dict[str, str]], Project]


def listed(project_of: ProjectMaker, name: str, text: str) -> list[str]:
    found = read_dependencies(project_of({name: dedent(text).lstrip("\n")}))
    assert found.manifests == (name,)
    assert {each.ecosystem for each in found.dependencies} <= {"npm", "maven", "go", "packagist", "rubygems"}
    return [f"{each} {each.declared.start}{'' if each.pinned else ' loose'}" for each in found.dependencies]


PACKAGE = """
    {
      "name": "shop",
      "dependencies": {
        "express": "^4.18.2",
        "pg": "8.11.3",
        "mine": "file:../mine",
        "forked": "github:someone/forked#main"
      },
      "devDependencies": {
        "express": "4.0.0",
        "jest": "*"
      }
    }
"""
LOCK = """
    {
      "name": "shop",
      "lockfileVersion": 3,
      "packages": {
        "": { "name": "shop" },
        "node_modules/express": { "version": "4.18.2", "integrity": "sha512-x" },
        "node_modules/express/node_modules/qs": {
          "version": "6.11.0"
        }
      }
    }
"""
OLD_LOCK = """
    {
      "dependencies": {
        "express": {
          "version": "4.0.0",
          "dependencies": { "qs": { "version": "1.0.0" } }
        }
      }
    }
"""
YARN = """
    # yarn lockfile v1


    "@babel/core@^7.0.0", "@babel/core@^7.1.0":
      version "7.2.2"
      resolved "https://registry.example/x.tgz"

    lodash@^4:
      version "4.17.21"
"""
BUN = """
    {
      "lockfileVersion": 1,
      "packages": {
        "@babel/core": ["@babel/core@7.2.2", "", {}, "sha512-x"],
        "lodash": ["lodash@4.17.21", "", {}, "sha512-y"],
        "mine": ["mine@workspace:packages/mine"],
      }
    }
"""
PNPM = """
    lockfileVersion: '9.0'
    importers:
      .:
        dependencies: {}
    packages:
      '@babel/core@7.2.2':
        resolution: {integrity: sha512-x}
      lodash@4.17.21:
        resolution: {integrity: sha512-x}
    snapshots:
      lodash@4.17.21: {}
"""
POM = """
    <project xmlns="http://maven.apache.org/POM/4.0.0">
      <properties><jackson.version>2.15.0</jackson.version></properties>
      <dependencyManagement><dependencies>
        <dependency><groupId>g</groupId><artifactId>managed</artifactId><version>1.1</version></dependency>
      </dependencies></dependencyManagement>
      <dependencies>
        <dependency>
          <groupId>com.fasterxml</groupId>
          <artifactId>jackson</artifactId>
          <version>${jackson.version}</version>
        </dependency>
        <dependency><groupId>g</groupId><artifactId>managed</artifactId></dependency>
        <dependency><groupId>g</groupId><artifactId>ranged</artifactId><version>[1,2)</version></dependency>
      </dependencies>
    </project>
"""
GRADLE = """
    dependencies {
        implementation 'org.springframework:spring-web:6.1.0'
        testImplementation("junit:junit:4.+")
        compile group: 'a.b', name: 'c', version: '1.0'
    }
"""
GO_MOD = """
    module example.org/shop
    go 1.22
    require github.com/pkg/errors v0.9.1
    require (
        github.com/gin-gonic/gin v1.9.1
        golang.org/x/crypto v0.0.0-2020 // indirect
    )
    replace example.org/old => ../old
"""
COMPOSER = """
    {
      "require": { "php": "^8.1", "laravel/framework": "^10.0" },
      "require-dev": {
        "phpunit/phpunit": "10.1.0"
      }
    }
"""
COMPOSER_LOCK = """
    {
      "packages": [
        { "name": "laravel/framework",
          "version": "v10.2.0" }
      ],
      "packages-dev": []
    }
"""
GEMFILE = """
    source 'https://rubygems.org'
    gem 'rails', '~> 7.0'
    gem "pg", "1.5.4"
    gem 'mine', git: 'https://example.org/mine.git'
    group :development, :test do
      gem 'rspec'
    end
"""
GEMFILE_LOCK = """
    GEM
      remote: https://rubygems.org/
      specs:
        rails (7.0.4)
          activesupport (= 7.0.4)
        pg (1.5.4)

    DEPENDENCIES
      rails (~> 7.0)
"""


@pytest.mark.rule("A7")
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("package.json", PACKAGE, [
            "express:^4.18.2 4 loose", "pg:8.11.3 5", "mine:file:../mine 6 loose", "forked:github:someone/forked#main 7 loose",
            "express:4.0.0 10", "jest:* 11 loose",
        ]),
        ("package-lock.json", LOCK, ["express:4.18.2 6", "qs:6.11.0 7"]),
        ("package-lock.json", OLD_LOCK, ["express:4.0.0 3", "qs:1.0.0 5"]),
        ("yarn.lock", YARN, ["@babel/core:7.2.2 4", "lodash:4.17.21 8"]),
        ("bun.lock", BUN, ["@babel/core:7.2.2 4", "lodash:4.17.21 5"]),
        ("pnpm-lock.yaml", PNPM, ["@babel/core:7.2.2 6", "lodash:4.17.21 8"]),
        ("pom.xml", POM, ["com.fasterxml:jackson:2.15.0 9", "g:managed:1.1 12", "g:ranged:[1,2) 13 loose"]),
        ("build.gradle", GRADLE, ["org.springframework:spring-web:6.1.0 2", "junit:junit:4.+ 3 loose", "a.b:c:1.0 4"]),
        ("go.mod", GO_MOD, [
            "github.com/pkg/errors:v0.9.1 3", "github.com/gin-gonic/gin:v1.9.1 5", "golang.org/x/crypto:v0.0.0-2020 6",
        ]),
        ("composer.json", COMPOSER, ["laravel/framework:^10.0 2 loose", "phpunit/phpunit:10.1.0 4"]),
        ("composer.lock", COMPOSER_LOCK, ["laravel/framework:10.2.0 3"]),
        ("Gemfile", GEMFILE, [
            "rails:~> 7.0 2 loose", "pg:1.5.4 3", "mine:https://example.org/mine.git 4 loose", "rspec:* 6 loose",
        ]),
        ("Gemfile.lock", GEMFILE_LOCK, ["rails:7.0.4 4", "pg:1.5.4 6"]),
    ],
)  # fmt: skip
def test_names_versions_and_lines(project_of: ProjectMaker, name: str, text: str, expected: list[str]) -> None:
    assert listed(project_of, name, text) == expected


@pytest.mark.rule("A7")
@pytest.mark.parametrize("name", ["package.json", "package-lock.json", "composer.json", "composer.lock", "pom.xml"])
@pytest.mark.parametrize("text", ["{", "[" * 50_000, "<a>", "null"])
def test_broken_manifests_are_limitations(project_of: ProjectMaker, name: str, text: str) -> None:
    found = read_dependencies(project_of({name: text}))
    assert found.dependencies == ()
    assert len(found.limitations) == 1
    assert name in found.limitations[0]


@pytest.mark.rule("X16")
def test_entities_are_never_expanded(project_of: ProjectMaker) -> None:
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><project><dependencies>&b;</dependencies></project>'
    found = read_dependencies(project_of({"pom.xml": bomb}))
    assert found.dependencies == ()
    assert "document type" in found.limitations[0]


def concerns(project_of: ProjectMaker, files: dict[str, str]) -> list[str]:
    examined = examine(project_of({**files, "a.js": "x = 1\n"}))
    return [f"{each.rule} {each.location}" for each in examined.findings]


def test_an_application_without_a_lock_and_one_with(project_of: ProjectMaker) -> None:
    manifest = '{\n  "private": true,\n  "dependencies": {\n    "express": "^4"\n  }\n}\n'
    files = {"web/package.json": manifest, "Procfile": "web: node\n"}
    assert concerns(project_of, files) == ["unpinned-dependencies web/package.json:4"]
    assert concerns(project_of, files | {"yarn.lock": 'express@^4:\n  version "4.0.0"\n'}) == []


def test_a_lock_of_another_ecosystem_locks_nothing_and_a_library_need_not_lock(project_of: ProjectMaker) -> None:
    files = {"package.json": '{"private": true, "dependencies": {"express": "^4"}}', "Gemfile.lock": dedent(GEMFILE_LOCK)}
    assert concerns(project_of, files | {"Procfile": "web: node\n"}) == ["unpinned-dependencies package.json:1"]
    (project_of({}).root / "Procfile").unlink()
    library = '{"name": "lib", "main": "index.js", "dependencies": {"express": "^4"}}'
    assert concerns(project_of, {"package.json": library}) == []


def test_a_lock_too_large_to_read_still_locks(project_of: ProjectMaker) -> None:
    manifest = '{"private": true, "dependencies": {"express": "^4"}}'
    lock = '{"packages": {"node_modules/a": {"version": "1.0.0", "x": "' + "a" * 2_100_000 + '"}}}'
    assert concerns(project_of, {"package.json": manifest, "package-lock.json": lock, "Procfile": "web: node\n"}) == []


def test_repositories_addresses_and_registries(project_of: ProjectMaker) -> None:
    manifest = (
        '{\n "main": "x.js", "dependencies": {\n  "a": "git+http://example.org/a.git",\n  "b": "https://example.org/b.tgz",\n'
        '  "c": "github:x/c#' + "a" * 40 + '"\n }\n}\n'
    )
    found = concerns(project_of, {"package.json": manifest, ".npmrc": "registry=http://registry.example/\nstrict-ssl=false\n"})
    assert found == [
        "plain-http-index .npmrc:1",
        "trusted-host .npmrc:2",
        "unverified-source package.json:3",
        "unverified-source package.json:4",
    ]


@pytest.mark.rule("X16")
@pytest.mark.parametrize(
    "text",
    ["<a>" * 100_000, "<a/>" * 300_000, "<a b='" + "x" * 200_000, "<!--" * 100_000, "<p>" + "<a></a>" * 200_000 + "</p>", "</a>"],
)
def test_hostile_markup_is_refused_in_time(text: str) -> None:
    manifest = read_pom("pom.xml", text)
    assert manifest.declared == ()
    assert manifest.problems


def test_markup_details_are_read(project_of: ProjectMaker) -> None:
    text = """<?xml version="1.0"?>
    <!-- <dependency> -->
    <m:project xmlns:m="x>y"><m:dependencies><m:dependency scope='a"b'>
      <m:groupId><![CDATA[g]]></m:groupId><m:artifactId>a&amp;b</m:artifactId><m:version/>
    </m:dependency></m:dependencies></m:project>"""
    assert listed(project_of, "pom.xml", text) == ["g:a&b:* 4 loose"]
