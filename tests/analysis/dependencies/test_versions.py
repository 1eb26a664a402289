"""Which version is the later one, by the rules of each ecosystem."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.analysis.dependencies.versions import MAX_VERSION, compare

ORDERED = {
    "pypi": (
        "0.9", "1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12.dev456", "1.0a12", "1.0b1.dev456", "1.0b2",
        "1.0b2.post345.dev456", "1.0b2.post345", "1.0rc1.dev456", "1.0rc1", "1.0", "1.0+abc.5", "1.0+abc.7", "1.0+5",
        "1.0.post456.dev34", "1.0.post456", "1.0.15", "1.1.dev1", "1.10", "2022.1", "1!0.1",
    ),
    "npm": (
        "0.0.1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
        "1.0.0-rc.1", "1.0.0", "1.2", "1.10.0", "2.0.0",
    ),
    "go": (
        "v0.0.0-20180101000000-abcdefabcdef", "v0.0.0-20200101000000-aaaaaaaaaaaa", "v0.1.0",
        "v1.2.3-0.20200101000000-aaaaaaaaaaaa", "v1.2.3", "v1.2.4-0.20200101000000-aaaaaaaaaaaa", "v2.0.0+incompatible",
    ),
    "maven": (
        "1-alpha-1", "1-alpha2", "1-beta-2", "1-m3", "1-rc1", "1-SNAPSHOT", "1", "1-sp", "1-abc", "1-1", "1.1", "1.1.1",
        "2.0-alpha", "2.0", "2.13.4", "2.13.4.2", "31.1-android", "31.1-jre",
    ),
    "rubygems": ("0.9", "1.0.a.2", "1.0.b1", "1.0", "1.0.1.pre", "1.0.1", "1.1", "1.10"),
    "packagist": (
        "1.0.0-dev", "1.0.0-alpha1-dev", "1.0.0-alpha1", "1.0.0-beta2", "1.0.0-RC1", "1.0.0", "1.0.0-p1", "1.0.1", "2.0", "10.0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("ecosystem", ORDERED)
def test_every_pair_of_a_known_order(ecosystem: str) -> None:
    versions = ORDERED[ecosystem]
    for first, left in enumerate(versions):
        for second, right in enumerate(versions):
            assert compare(ecosystem, left, right) == (first > second) - (first < second), (left, right)


@pytest.mark.parametrize(
    ("ecosystem", "left", "right"),
    [
        ("pypi", "1.0", "1.0.0"),
        ("pypi", "1.0RC1", "1.0c1"),
        ("pypi", "v1.0-1", "1.0.post1"),
        ("npm", "1.0.0+build.5", "1.0.0"),
        ("npm", "1", "1.0.0"),
        ("go", "v2.0.0+incompatible", "2.0.0"),
        ("maven", "1.0.0", "1"),
        ("maven", "1.0-ga", "1.0"),
        ("maven", "5.3.18.RELEASE", "5.3.18"),
        ("maven", "1-a1", "1-alpha-1"),
        ("maven", "1-0.ga-x", "1-x"),
        ("rubygems", "1.0.0", "1"),
        ("rubygems", "1.a.0", "1.a"),
        ("packagist", "v1.0", "1.0.0.0"),
    ],
)
def test_spellings_of_one_version(ecosystem: str, left: str, right: str) -> None:
    assert compare(ecosystem, left, right) == 0


@pytest.mark.parametrize(
    ("ecosystem", "text"),
    [("pypi", "latest"), ("npm", "^1.0"), ("go", "master"), ("packagist", "dev-main"), ("rubygems", "~> 1"), ("cobol", "1.0")],
)
def test_what_is_no_version_has_no_order(ecosystem: str, text: str) -> None:
    assert compare(ecosystem, text, "1.0.0") is None
    assert compare(ecosystem, text, text) is None


@pytest.mark.rule("X16")
@pytest.mark.parametrize("ecosystem", ORDERED)
@pytest.mark.parametrize("text", ["1" * 100_000, "1." * 50_000, "a1" * 50_000, "-" * 100_000, "1-" + "0." * 90])
def test_hostile_versions_are_refused_or_compared(ecosystem: str, text: str) -> None:
    answer = compare(ecosystem, text, "1.0")
    assert answer is None or len(text) <= MAX_VERSION


_TEXT = st.text(alphabet="0123.-+abrcdevpost", min_size=1, max_size=12)


@pytest.mark.parametrize("ecosystem", ORDERED)
@given(versions=st.tuples(_TEXT, _TEXT, _TEXT))
def test_the_order_is_an_order(ecosystem: str, versions: tuple[str, str, str]) -> None:
    one, two, three = versions
    if all(compare(ecosystem, each, each) is not None for each in versions):
        forwards, backwards = compare(ecosystem, one, two), compare(ecosystem, two, one)
        assert forwards is not None
        assert backwards == -forwards
        if (compare(ecosystem, one, two) or 0) <= 0 and (compare(ecosystem, two, three) or 0) <= 0:
            assert (compare(ecosystem, one, three) or 0) <= 0
