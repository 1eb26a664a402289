"""One reader per weakness: what the text of a statement must hold for the claim to be true, and what refutes it.

Always holds: a reader answers yes, no or unclear with a sentence that names what it saw, never the secret itself. Does not
belong here: whether the value is used in production.
"""

import re

from counterproof.analysis.backward.pages import unescaped_since
from counterproof.analysis.backward.rereading.answers import Answer, Reader, no, unclear, yes
from counterproof.analysis.backward.rereading.behaviour import BEHAVIOUR
from counterproof.analysis.backward.rereading.passage import Passage

_VERSION = re.compile(r"(?<![\w.])v?\d{1,9}(?:\.\d{1,9}){1,4}|==\s{0,4}\d")
_LINES_BELOW = 3
"""Lock files name a package in one line and its version in one of the next."""


def _component(passage: Passage) -> Answer:
    """The second reading of dependencies that are said to be vulnerable: does the file really name an exact version there?

    Always holds: the answer rests on the lines as they stand.
    """
    first = passage.place.start - 1
    lines = passage.whole.split("\n")[first : first + 1 + _LINES_BELOW]
    found = next((match for line in lines if (match := _VERSION.search(line[:2_000]))), None)
    if found is None:
        return unclear(f"no exact version was found at {passage.place}")
    return yes(f"the lines at {passage.place} name the version {found.group(0)[:40]}")


SUPPLY: dict[int, Reader] = dict.fromkeys((1395, 506), _component)


_ENVIRONMENT = re.compile(r"environ|getenv|env\(|config\(|env\.", re.IGNORECASE)
_FALSE = re.compile(r"=\s{0,4}(?:False|0|None)\b")
_TRUE = re.compile(r"=\s{0,4}(?:True|1)\b")
_LITERAL = re.compile(r"""[bBrRuU]{0,2}(["'])[^"']{2,}\1""")


def _switch(wanted: re.Pattern[str], refuted: re.Pattern[str], off: str, on: str) -> Reader:
    def read(passage: Passage) -> Answer:
        text = passage.statement
        if wanted.search(text) and not _ENVIRONMENT.search(text):
            return yes(f"the statement at {passage.place} reads: {off}")
        if refuted.search(text):
            return no(f"the statement at {passage.place} reads: {on}")
        return unclear(f"the statement at {passage.place} takes its value from elsewhere")

    return read


def _cookie(flag: str) -> Reader:
    given = re.compile(rf"\b{flag}\s{{0,4}}=\s{{0,4}}([\w\"'.]+)", re.IGNORECASE)

    def read(passage: Passage) -> Answer:
        text = passage.statement
        if "set_cookie" in text or "cookie(" in text.lower():
            found = given.search(text)
            if found is None and "**" not in text:
                return yes(f"the cookie set at {passage.place} is given no {flag}")
            value = found.group(1) if found else ""
            if value in ("False", "None", "0") or value.strip("\"'").lower() == "none":
                return yes(f"the cookie set at {passage.place} is given {flag}={value}")
            return (
                no(f"the cookie set at {passage.place} is given {flag}={value}")
                if value == "True"
                else unclear(f"{flag} of the cookie at {passage.place} is computed")
            )
        if _FALSE.search(text) or re.search(r"=\s{0,4}[\"']none[\"']", text, re.IGNORECASE):
            return yes(f"the setting at {passage.place} switches {flag} off")
        if _TRUE.search(text):
            return no(f"the setting at {passage.place} switches {flag} on")
        return unclear(f"the value at {passage.place} is computed")

    return read


_WEAK = re.compile(r"\b(?:md5|md4|md2|sha1|sha_1|SHA1|MD5|MD4|ARC4|RC4|ARC2|DES3?|TripleDES|Blowfish|IDEA|CAST5?|MODE_ECB|ECB)\b")
_BUILT_IN = re.compile(r"md5|sha1|\bsha\b|ripemd|PROTOCOL_SSLv\d|PROTOCOL_TLSv1(?:_1)?\b|TLSv1(?:_1)?\b|SSLv3", re.IGNORECASE)


def _algorithm(passage: Passage) -> Answer:
    text = passage.statement
    if re.search(r"usedforsecurity\s{0,4}=\s{0,4}False", text):
        return no(f"the call at {passage.place} says usedforsecurity=False")
    found = _WEAK.search(text) or _BUILT_IN.search(text)
    if found:
        return yes(f"the text at {passage.place} names {found.group(0)}")
    if re.search(r"sha(?:224|256|384|512)|sha3|blake2", text, re.IGNORECASE) and "pass" in passage.function.lower():
        return yes(f"the password at {passage.place} goes through one round of a fast hash")
    return unclear(f"no weak algorithm is named at {passage.place}")


def _random(passage: Passage) -> Answer:
    text = passage.statement
    if re.search(r"SystemRandom|\bsecrets\.|os\.urandom", text):
        return no(f"the text at {passage.place} uses a secure generator")
    if re.search(r"\brandom\b|\brand(?:int|range|om|bytes)\b|\bchoices?\(|\bsample\(|uuid1\(", text):
        return yes(f"the text at {passage.place} uses the predictable generator")
    return unclear(f"no generator is named at {passage.place}")


def _secret(passage: Passage) -> Answer:
    """A literal in quotes (or after a colon in a data file), not looked up and not a place holder."""
    text = passage.statement
    if _ENVIRONMENT.search(text):
        return unclear(f"the value at {passage.place} is looked up, with a default in the code")
    python = passage.place.path.endswith((".py", ".pyi"))
    if python and not _LITERAL.search(text):
        return no(f"the statement at {passage.place} holds no literal")
    if re.search(r"BEGIN [A-Z ]{0,20}PRIVATE KEY", text):
        return yes(f"a private key stands at {passage.place}")
    if re.search(r"[=:]\s{0,8}[\"']?(?:\$\{|\{\{|%\(|<[\w -]{3,30}>[\"']?\s{0,8}$)", text):
        return no(f"the value at {passage.place} is a place holder")
    if not python and not re.search(r"[:=]\s{0,8}\S", text):
        return unclear(f"the line at {passage.place} gives no value")
    return yes(f"a literal stands at {passage.place} and is not looked up anywhere")


def _plain(passage: Passage) -> Answer:
    around = passage.function.lower()
    if re.search(r"hash|bcrypt|argon|pbkdf|scrypt|check_password|make_password|digest|encrypt", around):
        return unclear(f"the function at {passage.place} speaks of hashing")
    if re.search(r"passw|pwd", passage.statement.lower()):
        return yes(f"the password at {passage.place} is used as it was typed; nothing in the function hashes it")
    return unclear(f"the statement at {passage.place} does not mention a password")


def _certificate(passage: Passage) -> Answer:
    if re.search(
        r"verify\s{0,4}=\s{0,4}False|CERT_NONE|check_hostname\s{0,4}=\s{0,4}False|unverified|ssl\s{0,4}=\s{0,4}False"
        r"|rejectUnauthorized[\"']?\s{0,4}[:=]\s{0,4}(?:false|0|!1)\b|NODE_TLS_REJECT_UNAUTHORIZED[\"'\]]{0,2}\s{0,4}=\s{0,4}[\"']?0",
        passage.statement,
    ):
        return yes(f"the statement at {passage.place} switches the check of certificates off")
    if re.search(r"verify\s{0,4}=\s{0,4}True|CERT_REQUIRED", passage.statement):
        return no(f"the statement at {passage.place} checks certificates")
    return unclear(f"the text at {passage.place} does not say whether certificates are checked")


def _token(passage: Passage) -> Answer:
    text = passage.statement
    off = re.search(r"verify[\w\"']{0,20}\s{0,4}[:=]\s{0,4}False|[\"']none[\"']|unverified|options\s{0,4}=", text, re.IGNORECASE)
    if (off and "False" in text) or re.search(r"algorithms?\s{0,4}=[\s\w\"',\[(]{0,200}[\"']none", text, re.IGNORECASE):
        return yes(f"the token at {passage.place} is read without checking its signature")
    if re.search(r"algorithms\s{0,4}=\s{0,4}[\[(][\s\w\"',.]{1,200}[\])]", text) and not re.search(
        r"False|[\"']none", text, re.IGNORECASE
    ):
        return no(f"the token at {passage.place} is checked against a fixed list of algorithms")
    return unclear(f"the text at {passage.place} does not say whether the signature is checked")


def _origins(passage: Passage) -> Answer:
    text = passage.statement
    if re.search(r"[\"']\*[\"']|headers\.get\(\s{0,4}[\"']origin|\.origin\b", text, re.IGNORECASE):
        return yes(f"the statement at {passage.place} allows any origin")
    if "CORS(" in text and "origins" not in text and "resources" not in text:
        return yes(f"CORS at {passage.place} is set up with its open default")
    if "ALLOW_ALL" in text or "allow_all" in text:
        return yes(f"the statement at {passage.place} allows any origin") if "True" in text else no(f"{passage.place} says no")
    return unclear(f"the origins at {passage.place} are computed")


def _limit(passage: Passage) -> Answer:
    around = (passage.decorators + passage.function).lower()
    found = re.search(r"limit|throttl|attempt|lockout|locked|captcha|backoff|too_many|429", around)
    if found:
        return unclear(f"the function at {passage.place} mentions {found.group(0)}")
    return yes(f"neither the function at {passage.place} nor its decorators mention a limit of attempts")


def _details(passage: Passage) -> Answer:
    around = passage.statement + passage.function
    found = re.search(
        r"traceback\.|format_exc|str\(\s{0,4}\w+\s{0,4}\)|repr\(|\{\s{0,4}(?:e|ex|exc|err|error|exception)\b|\.args\b", around
    )
    if found:
        return yes(f"the answer at {passage.place} carries the error's own text")
    return unclear(f"the text at {passage.place} does not show the error going out")


def _forgery(passage: Passage) -> Answer:
    whole = passage.whole.lower()
    if "exempt" in passage.decorators.lower():
        return yes(f"the handler at {passage.place} is exempt from the check of forms")
    if "middleware" in passage.statement.lower():
        named = "csrf" in passage.statement.lower()
        return (
            no(f"the list at {passage.place} names a check of forms") if named else yes(f"the list at {passage.place} names none")
        )
    around = (passage.decorators + passage.function).lower()
    if re.search(r"(?:validate|check|verify|protect)\w{0,12}csrf|csrf\w{0,12}[._](?:validate|check|verify|protect)", around):
        return no(f"the handler at {passage.place} checks where its form came from")
    if "csrf" in whole:
        return unclear(f"{passage.place.path} has a check of forms; whether it covers this handler is not plain")
    return yes(f"nothing in {passage.place.path} checks where a form came from")


def _pinned(passage: Passage) -> Answer:
    """That a version is pinned does not say that it is the right package's."""
    text = passage.statement
    if re.search(r"==\s{0,4}[\w.!+*]+|@\s{0,4}[0-9a-f]{40}|--hash", text) and "*" not in text:
        return unclear(f"the line at {passage.place} pins its version")
    return yes(f"the line at {passage.place} pins no version")


def _delivery(passage: Passage) -> Answer:
    text = passage.statement
    if re.search(r"\buses:\s{0,4}\S+@(?![0-9a-f]{40})", text):
        return yes(f"the step at {passage.place} follows a name that can be moved to other code")
    if "--hash" in text or "integrity" in text:
        return no(f"the line at {passage.place} checks what it gets")
    if re.search(r"http://|git\+|https://|--index-url|--extra-index-url|@\s|file:|trusted-host", text):
        return yes(f"the line at {passage.place} takes code from an address without checking it")
    return unclear(f"the line at {passage.place} names no address")


def _vector(passage: Passage) -> Answer:
    if _LITERAL.search(passage.statement) or re.search(r"\*\s{0,4}\d+|bytes\(\d", passage.statement):
        return yes(f"a fixed value stands at {passage.place}")
    return unclear(f"the value at {passage.place} is made elsewhere")


def _key_size(passage: Passage) -> Answer:
    sizes = [int(each) for each in re.findall(r"\b\d{2,5}\b", passage.statement) if each != "65537"]  # RSA's exponent
    if any(size < 2048 for size in sizes):
        return yes(f"a size of {min(sizes)} bits stands at {passage.place}")
    return no(f"the size at {passage.place} is large enough") if sizes else unclear(f"no size stands at {passage.place}")


def _hosts(passage: Passage) -> Answer:
    if re.search(r"[\"']\*[\"']", passage.statement):
        return yes(f"the setting at {passage.place} allows every host")
    return unclear(f"the hosts at {passage.place} are listed or computed")


_UNESCAPED = re.compile(
    r"autoescape\s{0,4}[=:]?\s{0,4}(?:False|off|false)|autoescape\s+off|\|\s{0,4}(?:safe|raw)\b|<%-|\{\{\{|!\{"
)


def _escaping(passage: Passage) -> Answer:
    if _UNESCAPED.search(passage.statement):
        place = passage.place
        if not place.path.endswith(".py"):
            return unclear(f"escaping is off at {place}; whose data stands there was not followed")
        return yes(f"the text at {place} switches escaping off")
    if opened := unescaped_since("\n".join(passage.whole.split("\n")[: passage.place.start])):
        return unclear(f"escaping is off from line {opened} on, around {passage.place}; whose data stands there was not followed")
    if "Environment(" in passage.statement and "autoescape" not in passage.statement:
        return yes(f"the environment at {passage.place} does not escape by default")
    return unclear(f"the text at {passage.place} does not switch escaping off")


_OFF = _switch(
    re.compile(r"debug\w{0,12}[\"'\])]{0,3}\s{0,4}[=:]\s{0,4}(?:True|1)", re.IGNORECASE), _FALSE, "debug is on", "debug is off"
)

READERS: dict[int, Reader] = {
    **dict.fromkeys((614,), _cookie("secure")),
    **dict.fromkeys((1004,), _cookie("httponly")),
    **dict.fromkeys((1275,), _cookie("samesite")),
    **dict.fromkeys((489, 215), _OFF),
    **dict.fromkeys((327, 328, 916, 759, 760), _algorithm),
    **dict.fromkeys((330, 331, 335, 338, 340), _random),
    **dict.fromkeys((798, 259, 321, 522, 547), _secret),
    **dict.fromkeys((295, 297), _certificate),
    **dict.fromkeys((345, 347), _token),
    **dict.fromkeys((942, 346), _origins),
    **dict.fromkeys((307, 799), _limit),
    **dict.fromkeys((209, 497), _details),
    352: _forgery,
    256: _plain,
    **dict.fromkeys((1104, 1357), _pinned),
    **dict.fromkeys((494, 829, 427, 319, 353, 830), _delivery),
    **dict.fromkeys((329, 1204), _vector),
    326: _key_size,
    644: _hosts,
    79: _escaping,
    **BEHAVIOUR,
    **SUPPLY,
}
"""By CWE. What is not here has no second reading and stays unconfirmed."""
