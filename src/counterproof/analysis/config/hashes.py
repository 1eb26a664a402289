"""Calls that compute a hash, in any library."""

from collections.abc import Iterator

from counterproof.analysis.config.values import literal
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument
from counterproof.analysis.syntax.ir import Attribute, Call, Name

_LIBRARIES = names("cryptography", "hash-module")
_NAMES = (
    "md2", "md4", "md5", "sha", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384",
    "sha3_512", "blake2b", "blake2s", "blake3", "shake_128", "shake_256", "scrypt", "pbkdf2_hmac", "bcrypt", "argon2",
)  # fmt: skip


def hash_uses(codebase: Codebase, outline: Outline) -> Iterator[tuple[Site[Call], str]]:
    """Each computation with its algorithm; '' if that is chosen at run time."""
    for site in outline.of(Call):
        dotted = _spelled_out(codebase, outline, site)
        if dotted == "hashlib.new":
            name = literal(codebase, outline, argument(site.node, 0, "name"), site.function)
            yield site, _plain(name) if isinstance(name, str) else ""
        elif dotted.startswith(_LIBRARIES):
            parts = [_plain(part) for part in dotted.split(".")[-2:]]
            name = next((part for part in reversed(parts) if part in _NAMES), None)
            if name:
                yield site, name


def _spelled_out(codebase: Codebase, outline: Outline, site: Site[Call]) -> str:
    """The called function if it was looked up by name or stored in a variable: `getattr(hashlib, "md5")`, `h = md5`."""
    callee = site.node.callee
    if isinstance(callee, Call) and outline.dotted(callee.callee) == "getattr" and len(callee.arguments) == 2:
        name = literal(codebase, outline, callee.arguments[1].value, site.function)
        return f"{outline.dotted(callee.arguments[0].value)}.{name}"
    if isinstance(callee, Name) and callee.id not in outline.module.imports:
        made = outline.local(site.function, callee.id) or outline.top_level.get(callee.id)
        if made is not None and isinstance(made.value, Attribute | Name):
            return outline.dotted(made.value)
    return outline.dotted(callee)


def _plain(name: str) -> str:
    """ "SHA-1" and "hex_md5" in `hashlib`'s spelling."""
    lowered = name.lower().replace("-", "").removeprefix("hex_").removeprefix("ldap_")
    return "sha1" if lowered == "sha_1" else lowered
