"""No byte is sent but to the server that the user named; proxies and certificates come from the user's environment alone."""

import asyncio
import ipaddress
import json
import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from counterproof.agents.models.faults import ChannelFailed, FaultKind, WireFault
from counterproof.agents.models.keys import find_key
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.providers import NAMES, parse_model, server_of
from counterproof.agents.models.traffic import Outgoing
from counterproof.agents.models.transport import Connection, proxy_for, unpacked
from counterproof.model.errors import UserError
from faults.rig import ENVIRONMENT, KEY, question, terms
from faults.server import FaultServer, Move

BEDROCK = {
    "output": {"message": {"role": "assistant", "content": [{"text": "ok"}]}},
    "stopReason": "end_turn",
    "usage": {"inputTokens": 10, "outputTokens": 1, "totalTokens": 11},
    "metrics": {"latencyMs": 1},
}
GOOGLE = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": "ok"}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 1, "totalTokenCount": 11},
    "modelVersion": "g",
    "responseId": "r",
}
KEYS = {
    **ENVIRONMENT,
    "GOOGLE_API_KEY": KEY,
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": KEY,
    "MISTRAL_API_KEY": KEY,
    "GROQ_API_KEY": KEY,
    "OPENROUTER_API_KEY": KEY,
}


def reply(asked: Any) -> Move | None:
    if "generateContent" in asked.path:
        return Move(body=json.dumps(GOOGLE).encode())
    return Move(body=json.dumps(BEDROCK).encode()) if "converse" in asked.path else None


_connections: list[tuple[str, int]] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        _connections.append((str(arguments[1][0]), int(arguments[1][1])))
    elif event == "socket.getaddrinfo" and str(arguments[0]) not in ("127.0.0.1", "localhost"):
        _connections.append((str(arguments[0]), 0))


sys.addaudithook(_watch)


@pytest.mark.parametrize("provider", NAMES)
def test_every_provider_talks_to_the_named_server_and_to_nobody_else(provider: str):
    async def run() -> tuple[str, list[tuple[str, int]], FaultServer]:
        async with FaultServer(fault=reply) as server:
            path = "/v1" if provider in ("openai", "openai-responses", "openrouter", "ollama", "openai-compatible") else ""
            channel = open_channel(parse_model(f"{provider}:maker/some-model@{server.url}{path}"), KEYS, terms())
            _connections.clear()
            answer = await channel.ask(question())
            await channel.close()
            return answer.text, list(_connections), server

    text, connections, server = asyncio.run(run())
    assert text == "ok"
    assert len(server.log) == 1
    assert set(connections) == {("127.0.0.1", server.port)}


def test_a_request_to_another_server_is_refused():
    connection = Connection("http://127.0.0.1:9/v1", {})
    with pytest.raises(WireFault) as raised:
        asyncio.run(connection.send(Outgoing("POST", "http://127.0.0.2:9/v1", (), b""), lambda: None))
    assert raised.value.kind is FaultKind.BAD_REQUEST


@pytest.mark.rule("X15")
def test_configuration_in_the_working_directory_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """X15: what the reviewed code ships cannot move where questions go, nor bring a key."""
    lines = "OPENAI_BASE_URL=http://127.0.0.66:1/v1\nOPENAI_API_KEY=sk-from-the-target\nHTTPS_PROXY=http://127.0.0.66:1\n"
    (tmp_path / ".env").write_text(lines)
    (tmp_path / "pyproject.toml").write_text('[tool.counterproof]\nagents = "openai:evil@http://127.0.0.66:1"\n')
    monkeypatch.chdir(tmp_path)
    name = parse_model("openai:gpt-5")
    assert server_of(name, {}) == "https://api.openai.com/v1"
    monkeypatch.setenv("COUNTERPROOF_KEYRING", "off")
    with pytest.raises(UserError, match="no key for openai"):
        find_key(name, {})


def test_the_users_own_environment_may_move_the_server():
    assert (
        server_of(parse_model("openai:gpt-5"), {"OPENAI_BASE_URL": "https://gateway.example/v1/"}) == "https://gateway.example/v1"
    )
    assert (
        server_of(parse_model("bedrock:m"), {"AWS_REGION": "eu-central-1"})
        == "https://bedrock-runtime.eu-central-1.amazonaws.com"
    )
    with pytest.raises(UserError, match="region"):
        server_of(parse_model("bedrock:m"), {"AWS_REGION": "evil.example/#"})


@pytest.mark.parametrize(
    ("url", "environment", "proxy"),
    [
        ("https://api.openai.com", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("https://api.openai.com", {"https_proxy": "p:1"}, "http://p:1"),
        ("https://api.openai.com", {"HTTP_PROXY": "http://p:1"}, ""),
        ("https://api.openai.com", {"ALL_PROXY": "http://p:1", "NO_PROXY": "other,.openai.com"}, ""),
        ("https://openai.com", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "xopenai.com"}, "http://p:1"),
        ("http://127.0.0.1:8000", {"HTTP_PROXY": "http://p:1", "NO_PROXY": "127.0.0.1:9000"}, "http://p:1"),
        ("http://127.0.0.1:8000", {"HTTP_PROXY": "http://p:1", "NO_PROXY": "127.0.0.1:8000"}, ""),
        ("http://127.0.0.1:8000", {"HTTP_PROXY": "http://p:1", "NO_PROXY": "*"}, ""),
    ],
)
def test_proxies_are_read_as_everybody_reads_them(url: str, environment: dict[str, str], proxy: str):
    assert proxy_for(url, environment) == proxy


def certificates(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A certificate authority of our own, and a server that it vouches for."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    def name(text: str) -> Any:
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    def issue(subject: str, key: Any, issuer: str, signer: Any, *extensions: Any) -> Any:
        now = datetime.now(UTC)
        builder = x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key.public_key())
        builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
        builder = builder.not_valid_after(now + timedelta(days=1))
        for extension in extensions:
            builder = builder.add_extension(extension, critical=True)
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())  # newer versions insist on it
        builder = builder.add_extension(identifier, critical=False)
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        return builder.sign(signer, hashes.SHA256())

    own, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    usage = x509.KeyUsage(
        True, False, False, False, False, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False
    )
    ca = issue("ca", own, "ca", own, x509.BasicConstraints(ca=True, path_length=None), usage)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    leaf = issue("server", key, "ca", own, address)
    pem, unencrypted = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "ca.pem").write_bytes(ca.public_bytes(pem))
    (folder / "server.pem").write_bytes(
        leaf.public_bytes(pem) + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, unencrypted)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    return context, folder / "ca.pem"


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
def test_a_server_with_a_certificate_of_ones_own_is_trusted_when_the_environment_says_so(tmp_path: Path, variable: str):
    context, authority = certificates(tmp_path)

    async def run(environment: dict[str, str]) -> str:
        async with FaultServer(tls=context) as server:
            channel = open_channel(parse_model(f"openai:gpt-5@{server.url}/v1"), {**ENVIRONMENT, **environment}, terms())
            answer = await channel.ask(question())
            await channel.close()
            return answer.text

    assert asyncio.run(run({variable: str(authority)})) == "ok"
    with pytest.raises(UserError, match="certificates"):
        asyncio.run(run({variable: str(tmp_path / "missing.pem")}))


@pytest.mark.rule("F5")
def test_an_unknown_certificate_is_an_error_that_is_tried_again(tmp_path: Path):
    from faults.rig import ask

    context, _ = certificates(tmp_path)
    with pytest.raises(ChannelFailed, match="unreachable") as raised:
        ask(FaultServer(tls=context))
    assert "6 tries" in str(raised.value)


def test_questions_go_through_the_proxy_that_the_environment_names():
    lines: list[str] = []

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines.append(head.split("\r\n")[0])
        writer.write(b"HTTP/1.1 502 no\r\ncontent-length: 0\r\n\r\n")
        writer.close()

    async def run() -> None:
        async with await asyncio.start_server(tunnel, "127.0.0.1", 0) as proxy:
            port = proxy.sockets[0].getsockname()[1]
            connection = Connection("https://api.openai.com/v1", {"HTTPS_PROXY": f"http://127.0.0.1:{port}"})
            with pytest.raises(WireFault):
                await connection.send(Outgoing("POST", "https://api.openai.com/v1", (), b"{}"), lambda: None)
            await connection.close()

    _connections.clear()
    asyncio.run(run())
    assert lines == ["CONNECT api.openai.com:443 HTTP/1.1"]
    assert {host for host, _ in _connections} == {"127.0.0.1"}


def test_packed_replies_are_bounded_and_checked():
    import gzip

    assert unpacked(gzip.compress(b"plain"), "gzip") == b"plain"
    for body, encoding in (
        (gzip.compress(b"\0" * 40_000_000), "gzip"),
        (gzip.compress(b"cut")[:-3], "gzip"),
        (b"?", "br"),
        (b"?", "gzip"),
    ):
        with pytest.raises(WireFault):
            unpacked(body, encoding)


def test_no_provider_library_is_imported_before_it_is_needed():
    libraries = ("pydantic_ai", "openai", "anthropic", "httpx2", "httpx", "boto3", "genai_prices", "keyring")
    code = (
        "import sys; import counterproof.cli.main; "
        "from counterproof.agents.models import channel, faults, opening, scripted, team; team.parse_team('openai:gpt-5'); "
        f"print([name for name in {libraries} if name in sys.modules])"
    )
    result = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
