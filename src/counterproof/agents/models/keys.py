"""Finds keys in the user's environment or the system's keyring. Never in flags, our files or the reviewed code.

Invariant: a key is never shown, logged or put into an exception, and its `str` hides it; reading the keyring takes bounded
time, runs in a separate process and never prompts: a locked keyring counts as empty.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from counterproof.agents.models.providers import ModelName, in_the_clear, server_of
from counterproof.model.errors import UserError

SERVICE = "counterproof"
KEYRING_SECONDS = 10

# Runs as a separate process with the key on its standard output. A backend that would prompt for a password is not used.
_ASK = """
import sys
try:
    import keyring
    backend = keyring.get_keyring()
    if getattr(backend, "priority", 0) <= 0:
        sys.exit(3)
    if "SecretService" in type(backend).__module__ or "secretservice" in type(backend).__module__.lower():
        import secretstorage
        with_bus = secretstorage.dbus_init()
        if secretstorage.get_default_collection(with_bus).is_locked():
            sys.exit(4)
    found = backend.get_password(sys.argv[1], sys.argv[2])
except Exception:
    sys.exit(5)
sys.stdout.write(found or "")
"""


@dataclass(frozen=True, slots=True)
class Key:
    """A secret and its source. `also` holds the further parts that some providers need."""

    secret: str = field(repr=False)
    source: str
    also: tuple[str, ...] = field(default=(), repr=False)

    def hides(self, text: str) -> str:
        """The text without the key, in case a server repeated it."""
        for part in (self.secret, *self.also):
            if len(part) >= 6:
                text = text.replace(part, "[key]")
        return text


def find_key(name: ModelName, environment: Mapping[str, str]) -> Key:
    """Raises `UserError` if a required key is missing, or would be sent unencrypted."""
    key = _from_environment(name, environment) or _from_keyring(name)
    if key is None and name.provider.key_required:
        raise UserError(
            f"no key for {name.provider.name}",
            f"set {' or '.join(name.provider.keys)}, or store it: `keyring set {SERVICE} {name.provider.name}`",
        )
    if key is not None and in_the_clear(server_of(name, environment)):
        raise UserError(f"the key for {name.provider.name} would travel unencrypted", "use https, or a server on this machine")
    return key or Key("", "none needed")


def mending(name: ModelName, key: Key) -> str:
    """The hint for a rejected API key: the variable to set."""
    variables = " or ".join(each for each in name.provider.keys if not each.startswith("AWS_ACCESS"))
    if key.source in name.provider.keys:
        return f"the key in {key.source} was refused: set {key.source} to one that this server accepts for {name.model}"
    if key.secret:
        stored = f"`keyring set {SERVICE} {name.provider.name}` replaces it"
        return f"the key from the keyring was refused: {stored}; {variables} goes before it"
    return f"no key was sent, and the server wants one: set {variables}"


def _from_environment(name: ModelName, environment: Mapping[str, str]) -> Key | None:
    for variable in name.provider.keys:
        secret = environment.get(variable, "").strip()
        if not secret:
            continue
        if variable != "AWS_ACCESS_KEY_ID":
            return Key(secret, variable)
        also = tuple(environment.get(other, "").strip() for other in ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"))
        if also[0]:
            return Key(secret, variable, also)
    return None


def _from_keyring(name: ModelName) -> Key | None:
    """Read only if the environment has no key, because it takes a process."""
    if os.environ.get("COUNTERPROOF_KEYRING", "on") == "off":
        return None
    try:
        result = subprocess.run(
            (sys.executable, "-I", "-c", _ASK, SERVICE, name.provider.name),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=KEYRING_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    secret = result.stdout.decode("utf-8", "replace").strip()
    return Key(secret, "keyring") if result.returncode == 0 and secret else None
