"""Objects reached by their id alone, in JavaScript and TypeScript.

## What it finds
Behind a login: an id from the request leads to an object that is somebody's, and no function on the way speaks of who is
logged in.

## Why it matters
Whoever is logged in counts through the ids and reads or changes what belongs to others.

## What is safe
The user of the session in the query; a comparison of the owner with the user of the session.

## Limits
Told by names: the route, the parameter or the function must speak of something that people own. A check in the database or
in a hook of the model is not seen.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-missing-ownership",
        title="Insecure direct object reference (IDOR)",
        dimension=Dimension.D3,
        kind="ownership",
        cwe=639,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="Users can read or change what belongs to others.",
        remedy="Filter the query by the session's user, or compare the owner with that user.",
    ),
    sinks=sinks("object-lookup", Language.JAVASCRIPT),
    poc="2",
    private=True,
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
