"""The topics of a plan: its domains, external systems, regulations, and its own words of doubt (P2)."""

import re

_DOMAINS: tuple[tuple[str, str], ...] = (
    ("storage", r"database|sql|schema|migrations?|tables?|orm|index(?:es)?|backfill"),
    ("interface", r"endpoints?|rest|graphql|grpc|routes?|http api|web api"),
    ("identity", r"auth|authentication|authorization|authorisation|login|oauth|sso|permissions?|tokens?|passwords?"),
    ("front end", r"frontend|front-end|react|vue|css|browser|templates?|components?"),
    ("operations", r"deploy(?:ment)?|docker|kubernetes|helm|ci|pipeline|terraform|monitoring|rollout"),
    ("messaging", r"queues?|kafka|rabbitmq|celery|webhooks?|pub/sub|events? bus"),
    ("money", r"payments?|billing|invoices?|stripe|checkout|refunds?"),
    ("cache", r"cach(?:e|ing)|redis|memcached"),
)
_SYSTEMS = (
    r"stripe|paypal|twilio|sendgrid|mailgun|aws|s3|sqs|gcp|azure|kafka|rabbitmq|redis|elasticsearch|opensearch|auth0|okta|salesforce"
    r"|slack|openai|anthropic|third[- ]party (?:api|service)|external (?:api|service|system)"
    r"|payment provider|webhooks? from|smtp server"
)
_COMPLIANCE = r"gdpr|hipaa|pci(?:[- ]dss)?|soc ?2|iso ?27001|ccpa|ferpa|sox|fedramp"
_SIGNALS = (
    r"TBD|TODO|FIXME|\?\?\?+|unclear|unknown|to be (?:decided|determined|confirmed|clarified)"
    r"|not sure|unsure|no idea|open question"
    r"|need(?:s)? (?:to be )?investigat\w{1,8}|somehow|we assume|presumably"
)


def domains(text: str) -> tuple[str, ...]:
    """The fields of work that a plan touches, in a fixed order. A single mention is enough."""
    return tuple(name for name, words in _DOMAINS if re.search(rf"\b(?:{words})\b", text, re.IGNORECASE))


def systems(text: str) -> tuple[str, ...]:
    return _distinct(rf"\b(?:{_SYSTEMS})\b", text)


def compliance(text: str) -> tuple[str, ...]:
    return _distinct(rf"\b(?:{_COMPLIANCE})\b", text)


def signals(text: str) -> tuple[str, ...]:
    """Every place where the plan itself says that something is open, as `line: word`."""
    found: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        found += [f"{number}: {match[0]}" for match in re.finditer(rf"(?<!\w)(?:{_SIGNALS})(?!\w)", line, re.IGNORECASE)]
    return tuple(found[:50])


def _distinct(pattern: str, text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match[0].lower() for match in re.finditer(pattern, text, re.IGNORECASE)))
