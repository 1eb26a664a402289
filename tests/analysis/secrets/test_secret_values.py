"""Values that are secrets, including weak ones, and values that are not."""

import pytest

from counterproof.analysis.secrets.randomness import reads_as_words
from counterproof.analysis.secrets.secret_names import Kind
from counterproof.analysis.secrets.values import entropy, judge, looks_random


@pytest.mark.parametrize(
    "value", ["secret", "dev-key", "aaaaaaa", "random", "k3y!", "my super secret key", "9f86d081884c7d659a2feaa0c55ad015"]
)
def test_keys_in_use(value: str) -> None:
    assert judge(value, Kind.KEY).secret


@pytest.mark.parametrize(
    "value", ["admin", "admin123", "letmein", "P@ssw0rd", "12345678", "SuperSecret", "correct1horse", "ab%sz9Kq"]
)
def test_passwords_in_use(value: str) -> None:
    assert judge(value, Kind.PASSWORD).secret


@pytest.mark.parametrize("value", ["b4d455a1c0ffee00b4d455a1c0ffee00", "5u93R53Cr3tT0k3n", "abc123def456ghi"])
def test_tokens_in_use(value: str) -> None:
    assert judge(value, Kind.TOKEN).secret


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize(
    "value",
    ["", "   ", "changeme", "CHANGE-ME", "<your-key>", "your_api_key_here", "xxxxxxxx", "********", "${SECRET}", "$SECRET",
     "{{ vault }}", "%(secret)s", "{password}", "TODO", "none", "null", "true", "example", "placeholder", "DB_PASSWORD",
     "/run/secrets/key",
     "https://example.org/token", "settings.SECRET_KEY", "key.pem", "!vault |", "..."],
)  # fmt: skip
def test_placeholders_templates_and_references(kind: Kind, value: str) -> None:
    assert not judge(value, kind).secret


@pytest.mark.parametrize(
    "value",
    [
        "Password",
        "password",
        "new_password",
        "Enter a password:",
        "Wrong password.",
        "Updated.",
        "string",
        "7363727970740010" * 8,
    ],
)
def test_labels_and_messages_are_no_passwords(value: str) -> None:
    assert not judge(value, Kind.PASSWORD).secret


@pytest.mark.parametrize("value", ["access_token", "Bearer", "csrf", "refresh", "id token"])
def test_words_are_no_tokens(value: str) -> None:
    assert not judge(value, Kind.TOKEN).secret


def test_what_an_account_is_made_with_is_a_password_even_if_it_says_so() -> None:
    assert not judge("Password", Kind.PASSWORD).secret
    assert judge("Password", Kind.PASSWORD, in_use=True).secret


def test_a_generated_key_is_a_key_even_with_odd_characters() -> None:
    value = "k%s9(x$(7" + "q&1z!m@4w#" * 3
    assert judge(value, Kind.KEY).secret


def test_weakness() -> None:
    assert judge("secret", Kind.KEY).weak
    assert not judge("h++js8pm)i@p4ay_b=cp#()^od!qns14)h%@qm3)", Kind.KEY).weak


WORDS = ["USER_PASSWORD_UPDATE", "ssm:GetParameter", "accessTokenCookie", "a-long-development-secret", "correct horse battery 2"]
MADE = [
    "9f86d081884c7d659a2feaa0c55ad015",
    "Tr0ub4dor&3x9",
    "MyS3cr3tP4ssw0rd",
    "zzkqwjrtbvmnxhgp",
    "jHgTuOpQzXcVbNmAs",
    "Passw0rd!",
]


@pytest.mark.parametrize("value", WORDS)
def test_words_are_weak_however_long(value: str) -> None:
    assert reads_as_words(value)
    assert judge(value, Kind.KEY).weak or not judge(value, Kind.KEY).secret
    assert not judge(value, Kind.TOKEN).secret


@pytest.mark.parametrize("value", MADE)
def test_what_chance_or_somebody_made_up_is_no_words(value: str) -> None:
    assert not reads_as_words(value)


def test_a_setting_takes_one_word_as_it_stands_and_no_message() -> None:
    assert judge("password", Kind.PASSWORD, setting=True).secret
    assert not judge("Invalid password", Kind.PASSWORD, setting=True).secret
    assert judge("correct horse battery", Kind.PASSWORD, in_use=True).secret


def test_entropy() -> None:
    assert entropy("") == 0
    assert entropy("aaaa") == 0
    assert entropy("abcd") == 2
    assert looks_random("9f86d081884c7d65")
    assert not looks_random("thequickbrownfox")
