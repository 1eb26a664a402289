"""One requirement line, in every shape that pip accepts."""

import pytest

from counterproof.analysis.dependencies.manifest import FetchedFrom
from counterproof.analysis.dependencies.requirement import parse_requirement

COMMIT = "0123456789abcdef0123456789abcdef01234567"
HASH = "a" * 64


@pytest.mark.parametrize(
    ("text", "name", "version", "pinned"),
    [
        ("flask", "flask", "*", False),
        ("Flask_SQLAlchemy==3.0.1", "flask-sqlalchemy", "3.0.1", True),
        ("requests[socks,security] >=2.0,<3", "requests", ">=2.0,<3", False),
        ("django==4.*", "django", "==4.*", False),
        ("a.b===1.0", "a-b", "1.0", True),
        ("six ~= 1.16 ; python_version < '3'", "six", "~= 1.16", False),
        ("flask (>=1.0)", "flask", ">=1.0", False),
        (f"idna==3.4 --hash=sha256:{HASH}", "idna", "3.4", True),
    ],
)
def test_from_an_index(text: str, name: str, version: str, pinned: bool) -> None:
    found = parse_requirement(text, 7)
    assert found
    assert (found.name, found.version, found.pinned, found.line, found.origin) == (name, version, pinned, 7, FetchedFrom.INDEX)
    assert found.verified is ("--hash" in text)


@pytest.mark.parametrize(
    ("text", "name", "origin", "verified"),
    [
        ("git+https://example.org/x/pkg.git", "pkg", FetchedFrom.REPOSITORY, False),
        ("git+https://example.org/x/pkg.git@main#egg=Other", "other", FetchedFrom.REPOSITORY, False),
        (f"git+https://example.org/x/pkg.git@{COMMIT}", "pkg", FetchedFrom.REPOSITORY, True),
        (f"pkg @ git+ssh://git@example.org/x/pkg@{COMMIT}#subdirectory=a", "pkg", FetchedFrom.REPOSITORY, True),
        ("pkg @ https://example.org/pkg-1.0.tar.gz ; python_version > '3'", "pkg", FetchedFrom.URL, False),
        (f"https://example.org/my-pkg-1.0.tar.gz#sha256={HASH}", "my-pkg", FetchedFrom.URL, True),
        ("pkg @ file:///opt/pkg", "pkg", FetchedFrom.PATH, True),
    ],
)
def test_from_an_address(text: str, name: str, origin: FetchedFrom, verified: bool) -> None:
    found = parse_requirement(text, 1)
    assert found
    assert (found.name, found.origin, found.verified, found.pinned) == (name, origin, verified, verified)


@pytest.mark.parametrize("text", ["", ".", "./local", "/abs/path", "!!", "== 1.0", "one two", "dir/package"])
def test_what_is_no_requirement(text: str) -> None:
    assert parse_requirement(text, 1) is None
