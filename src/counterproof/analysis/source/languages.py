"""The language of a file, its lines of code, and whether it is a test.

Lines of code (A1) are lines that are neither blank nor only a comment. A docstring is a string and counts as code, as in most
counters. A block comment counts only if it starts at the beginning of a line; `/*` after code or inside a string does not, so
`glob("src/**/*.py")` cannot swallow the rest of a file.
"""

import re
from pathlib import PurePosixPath

from counterproof.model.survey import Language

_BY_SUFFIX = {
    ".py": Language.PYTHON,
    ".pyw": Language.PYTHON,
    ".pyi": Language.PYTHON,
    ".ipynb": Language.PYTHON,
    ".wsgi": Language.PYTHON,
    ".js": Language.JAVASCRIPT,
    ".jsx": Language.JAVASCRIPT,
    ".mjs": Language.JAVASCRIPT,
    ".cjs": Language.JAVASCRIPT,
    ".es6": Language.JAVASCRIPT,
    ".es": Language.JAVASCRIPT,
    ".ts": Language.TYPESCRIPT,
    ".tsx": Language.TYPESCRIPT,
    ".mts": Language.TYPESCRIPT,
    ".cts": Language.TYPESCRIPT,
    ".java": Language.JAVA,
    ".go": Language.GO,
    ".php": Language.PHP,
    ".phtml": Language.PHP,
    ".rb": Language.RUBY,
    ".rake": Language.RUBY,
}

_LINE_COMMENTS = {
    Language.PYTHON: ("#",),
    Language.RUBY: ("#",),
    Language.PHP: ("//", "#"),
}
_BLOCK_COMMENTS = {
    Language.PYTHON: None,
    Language.RUBY: ("=begin", "=end"),
}

_SHEBANG = re.compile(rb"#![^\n]{0,100}?\b(python|node|ruby|php)[0-9.]*[ \t\r]*(?:[ \t]-[^\n]{0,60})?(?:\n|\Z)")
_INTERPRETERS = {
    b"python": Language.PYTHON,
    b"node": Language.JAVASCRIPT,
    b"ruby": Language.RUBY,
    b"php": Language.PHP,
}

_TRANSLATIONS = (b"<?xml", b"<!DOCTYPE TS", b"\xef\xbb\xbf<?xml")
"""Signatures of Qt translation files, which share TypeScript's extension."""

_TEST_FOLDERS = frozenset(("test", "tests", "spec", "specs", "e2e", "cypress", "playwright", "fuzz_targets"))
_TEST_SUITE = re.compile(
    r"(?:unit|integration|functional|acceptance|system|end2end|smoke|regression)[-_]?tests?|tests?[-_](?:mock[-_])?data"
    r"|tests?_\w+|test-?(?:app|project|site)s?|mocks?"
)
_TEST_NAME = re.compile(
    r"(?:test_[^/]*|[^/]*_test|[^/]*_testing|tests|conftest)\.pyi?|(?:pytest|tox)\.ini"
    r"|[^/]*_test\.go|tests?\.[cm]?[jt]sx?|[^/]*(?:\.|-|_)(?:test|spec|mock)\.[cm]?[jt]sx?"
    r"|(?:test|e2e)[-_.][^/]*\.(?:json|ya?ml|toml|ini|env)"
    r"|[^/]*(?:Test|Tests|TestCase|IT)\.java|Test[A-Z][^/]*\.java|[^/]*Test\.php|[^/]*_(?:spec|test)\.rb"
)


def language_of(path: str, head: bytes = b"") -> Language | None:
    """The language by extension or, failing that, by the interpreter in the first line."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix == ".ts" and head.lstrip().startswith(_TRANSLATIONS):
        return None
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    found = _SHEBANG.match(head)
    return _INTERPRETERS[found[1]] if found else None


def is_test(path: str) -> bool:
    """Return True if the file runs only in tests, by its name and folders."""
    folders, _, name = path.rpartition("/")
    if _TEST_NAME.fullmatch(name) or path.startswith("t/"):
        return True
    bare = (folder.strip("_") for folder in folders.lower().split("/"))
    return any(folder in _TEST_FOLDERS or _TEST_SUITE.fullmatch(folder) for folder in bare)


def lines_of(text: str) -> int:
    """The number of lines in an editor; a newline at the end does not start another one."""
    return text.count("\n") + (not text.endswith("\n")) if text else 0


def lines_of_code(text: str, language: Language) -> int:
    """Lines that are neither blank nor only a comment."""
    marks = _LINE_COMMENTS.get(language, ("//",))
    block = _BLOCK_COMMENTS.get(language, ("/*", "*/"))
    if block is None:
        return _not_comments(text, "".join(marks))
    return _outside_blocks(text, marks, *block)


def _not_comments(text: str, marks: str) -> int:
    """Code lines for languages with these line comments and no block comments. Performance matters: called for every line."""
    count = 0
    for line in map(str.lstrip, text.split("\n")):
        if line and line[0] not in marks:
            count += 1
    return count


def _outside_blocks(text: str, marks: tuple[str, ...], opening: str, closing: str) -> int:
    count = 0
    inside = False
    for line in text.split("\n"):
        bare = line.strip()
        if not inside and bare.startswith(opening):
            inside = True
            bare = bare[len(opening) :]
        if inside:
            _, closed, after = bare.partition(closing)
            inside = not closed
            bare = after.strip() if closed else ""
            if closed and bare.startswith(opening) and closing not in bare:
                inside, bare = True, ""
        if bare and not bare.startswith(marks):
            count += 1
    return count
