"""Names that hold secrets, and names that only talk about them."""

import pytest

from counterproof.analysis.secrets.secret_names import Kind, names_accounts, secret_kind, words_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("DB_PASSWORD", ("db", "password")),
        ("apiKey", ("api", "key")),
        ("HTTPServerKey2", ("http", "server", "key", "2")),
        ("client-secret", ("client", "secret")),
        ("", ()),
    ],
)
def test_words(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    "name", ["password", "DB_PASSWORD", "smtpPass", "user.passwd", "pwd", "passphrase", "MYSQL_ROOT_PASSWORD", "password2"]
)
def test_passwords(name: str) -> None:
    assert secret_kind(name) is Kind.PASSWORD


@pytest.mark.parametrize(
    "name",
    ["SECRET_KEY", "secret", "api_key", "apiKey", "client_secret", "JWT_SECRET", "privateKey", "AES_KEY", "SECRET_KEY_HMAC_2"],
)
def test_keys(name: str) -> None:
    assert secret_kind(name) is Kind.KEY


@pytest.mark.parametrize("name", ["token", "auth_token", "SLACK_TOKEN", "accessToken", "SUPER_SECRET_TOKEN"])
def test_tokens(name: str) -> None:
    assert secret_kind(name) is Kind.TOKEN


@pytest.mark.parametrize(
    "name",
    [
        "password_field",
        "passwordLabel",
        "reset_password",
        "forgot_password",
        "password_hash",
        "token_url",
        "token_type",
        "csrf_token",
        "tokenizer",
        "keyword",
        "public_key",
        "primary_key",
        "cache_key",
        "key",
        "secret_name",
        "password_min_length",
        "compass",
        "has_password",
        "PASSWORD_HASHERS",
        "invalid_password",
        "api_key_header",
        "secret_id",
        "bypass",
        "sort_key",
        "monkey",
    ],
)
def test_names_about_secrets(name: str) -> None:
    assert secret_kind(name) is None


def test_collections_of_accounts() -> None:
    assert names_accounts("USERS")
    assert names_accounts("default_accounts")
    assert not names_accounts("user_ids")
