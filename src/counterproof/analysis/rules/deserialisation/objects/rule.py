"""Objects rebuilt from untrusted data.

## What it finds
Request data given to `pickle`, `marshal`, `dill`, `shelve`, `jsonpickle` or `yaml.load` with a loader that builds any object.
In JavaScript and TypeScript libraries that rebuild functions or arbitrary objects from text.

## Why it matters
Rebuilding an object can run code that the data names; the sender runs programs on the server.

## What is safe
JSON, `yaml.safe_load` or `SafeLoader`, and data whose signature was checked before. In scripts `JSON.parse`, and `js-yaml` from
version 4 or with a safe schema.

## Limits
A custom unpickler that forbids classes is not judged. Which version of `js-yaml` is installed is not looked up: `load` counts
unless a schema is named.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Impact, Language, Severity

RULE = FlowRule(
    id="unsafe-deserialisation",
    title="Insecure deserialization",
    kind="objects",
    cwe=502,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can run code while the object is being rebuilt.",
    remedy="Use JSON or another format that holds data only; for YAML use safe_load.",
    sinks=sinks("deserialisation"),
    sanitisers=(*names("sanitiser", "deserialisation"),),
    poc="!!python/object/apply:os.system ['id']",
    local_users=True,
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("deserialisation", Language.JAVASCRIPT),
    id="javascript-deserialisation",
    remedy="Exchange data as JSON and validate its shape.",
    poc='{"x":"_$$ND_FUNC$$_function(){process.exit()}()"}',
    openly=True,
    documents=True,
)
