"""Profiles are data: ours, and those that a user adds without touching code (R2)."""

from pathlib import Path

import pytest

from counterproof.knowledge.profiles import load_profile, names, parsed, user_folder
from counterproof.model.errors import UserError

OWN = b'quick = ["MINE"]\n[[specialist]]\ncode = "MINE"\ntitle = "ours"\nprimary = ["logic", "house-rules"]\n'


def test_our_profiles_name_the_specialists_of_the_protocol() -> None:
    code, strategy = load_profile("code"), load_profile("strategy")
    assert [each.code for each in code.specialists] == ["SEC", "PERF", "QUAL", "CORR", "ARCH"]
    assert [each.code for each in strategy.specialists] == ["FEAS", "ARCH", "SEC", "USER", "SCOP", "TEST"]
    assert (code.quick, strategy.quick) == (("SEC", "CORR"), ("SEC", "FEAS"))
    assert (code.verdicts, strategy.verdicts) == (False, True)


@pytest.mark.rule("R2")
def test_a_user_adds_a_profile_and_may_replace_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERPROOF_HOME", str(tmp_path))
    user_folder().mkdir()
    (user_folder() / "house.toml").write_bytes(OWN)
    assert names() == ("code", "house", "strategy")
    assert load_profile("house").specialists[0].primary == ("logic", "house-rules")
    (user_folder() / "code.toml").write_bytes(OWN)
    assert [each.code for each in load_profile("code").specialists] == ["MINE"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not toml",
        b"\xff",
        b'[[specialist]]\ncode = "x"\nprimary = ["a"]\n',
        b'[[specialist]]\ncode = "AB"\n',
        b'specialist = "AB"\n',
        b'quick = ["ZZ"]\n[[specialist]]\ncode = "AB"\nprimary = ["a"]\n',
        b'[[specialist]]\ncode = "AB"\nprimary = "a"\n',
        b"#" * 60_000,
    ],
)
def test_a_broken_profile_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(UserError, match="the profile mine"):
        parsed("mine", data)


@pytest.mark.parametrize("name", ["none", "../code", "/etc/passwd"])
def test_a_name_that_is_no_profile(name: str) -> None:
    with pytest.raises(UserError, match="there is no profile"):
        load_profile(name)
