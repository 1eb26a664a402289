"""Deserialization of untrusted data.

## What it finds
Request data passed to `pickle`, `marshal`, `dill`, `shelve`, `jsonpickle` or `yaml.load` with a loader that can build any
object. In JavaScript and TypeScript, libraries that rebuild functions or arbitrary objects from text.

## Why it matters
Deserialization can run code that the data names, so the sender can run programs on the server.

## What is safe
JSON, `yaml.safe_load` or `SafeLoader`, and data whose signature was verified first. In JavaScript `JSON.parse`, and `js-yaml`
from version 4 or with a safe schema.

## Limits
A custom unpickler that forbids classes is not checked. The installed version of `js-yaml` is not looked up: `load` is
reported unless a schema is named.
"""

from counterproof.analysis.ruleset import FlowRule, Impact, Severity

RULE = FlowRule(
    id="unsafe-deserialisation",
    title="Insecure deserialization",
    kind="objects",
    cwe=502,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can run code during deserialization.",
    remedy="Use JSON or another data-only format; for YAML use safe_load.",
    sink="deserialisation",
    poc="!!python/object/apply:os.system ['id']",
    local_users=True,
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    id="javascript-deserialisation",
    remedy="Exchange data as JSON and validate its structure.",
    poc='{"x":"_$$ND_FUNC$$_function(){process.exit()}()"}',
    openly=True,
    documents=True,
)
