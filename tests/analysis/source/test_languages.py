"""Lines of code and kinds of files (A1)."""

import pytest

from counterproof.analysis.source.languages import is_test, language_of, lines_of, lines_of_code
from counterproof.model.survey import Language


@pytest.mark.rule("A1")
def test_blank_lines_and_comments_are_not_code() -> None:
    text = '# comment\n\nimport os  # why\n\n\ndef f():\n    """Says what."""\n    # nothing\n    return 1\n'
    assert lines_of_code(text, Language.PYTHON) == 4


@pytest.mark.rule("A1")
def test_block_comments_are_not_code() -> None:
    text = "/* one\n two\n*/\nlet a = 1; // x\n/* c */ let b = 2;\n// d\nlet c = '/*';\nlet d = 3;\n"
    assert lines_of_code(text, Language.JAVASCRIPT) == 4
    assert lines_of_code("=begin\nx\n=end\nputs 1\n# c\n", Language.RUBY) == 1
    assert lines_of_code("<?php\n# c\n// d\n$a = 1;\n", Language.PHP) == 2


def test_a_string_that_looks_like_a_comment_swallows_nothing() -> None:
    assert lines_of_code('glob("src/**/*.ts");\nlet a = 1;\n', Language.TYPESCRIPT) == 2


@pytest.mark.parametrize(("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n", 1)])
def test_lines_as_an_editor_shows_them(text: str, lines: int) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("a.py", b"", Language.PYTHON),
        ("A.PY", b"", Language.PYTHON),
        ("a.tsx", b"", Language.TYPESCRIPT),
        ("bin/run", b"#!/usr/bin/env python3\nimport os\n", Language.PYTHON),
        ("bin/run", b"#!/usr/bin/python3.12 -u\n", Language.PYTHON),
        ("bin/run", b"#!/bin/sh\n", None),
        ("README.md", b"#!/usr/bin/env python3\n", Language.PYTHON),  # an ending that tells nothing hides no code
        ("README.md", b"# Python\n", None),
        ("Dockerfile", b"FROM x\n", None),
        ("app/main.ts", b"import x from 'y'", Language.TYPESCRIPT),
        ("i18n/app.de.ts", b'<?xml version="1.0"?><!DOCTYPE TS>', None),
    ],
)
def test_languages(path: str, head: bytes, language: Language | None) -> None:
    assert language_of(path, head) is language


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "src/test/java/A.java",
        "test_a.py",
        "pkg/a_test.go",
        "a.spec.ts",
        "a.test.jsx",
        "conftest.py",
        "ATest.java",
        "a_spec.rb",
        "t/unit/app/test_x.py",
        "t/integration/config.py",
        "app/configuration_testing.py",
        "integration_tests/samples/a.py",
        "testapp/settings.py",
        "test-project/urls.py",
        "cypress/config/settings.json",
        "src/config/mock/auth.ts",
        "src/auth.config.mock.ts",
        "lib/test.js",
        "server/test_server/data/index.json",
        "test-e2e.config.json",
    ],
)
def test_tests_are_recognised(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path", ["src/testing.py", "latest/a.py", "contest.py", "app/tester.py", "protest/x.ts", "src/t/a.py", "app/ab_tests/a.py"]
)
def test_other_files_are_not_tests(path: str) -> None:
    assert not is_test(path)
