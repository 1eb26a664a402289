"""Objects rebuilt from untrusted data.

## What it finds
Request data given to `pickle`, `marshal`, `dill`, `shelve`, `jsonpickle` or `yaml.load` with a loader that builds any object.

## Why it matters
Rebuilding an object can run code that the data names; the sender runs programs on the server.

## What is safe
JSON, `yaml.safe_load` or `SafeLoader`, and data whose signature was checked before.

## Limits
A custom unpickler that forbids classes is not judged.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_SAFE_LOADERS = (("1/Loader", "!SafeLoader|CSafeLoader|BaseLoader|CBaseLoader"),)

RULE = FlowRule(
    RuleInfo(
        id="unsafe-deserialisation",
        title="Objects rebuilt from untrusted data",
        dimension=Dimension.D4,
        kind="objects",
        cwe=502,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run code while the object is being rebuilt.",
        remedy="Use JSON or another format that holds data only; for YAML use safe_load.",
    ),
    sinks=(
        *(
            Sink(f"{module}.{name}", (0,))
            for module in ("pickle", "cPickle", "_pickle", "dill", "cloudpickle")
            for name in ("loads", "load")
        ),
        Sink("pickle.Unpickler", (0, "file")),
        Sink("marshal.loads", (0,)),
        Sink("marshal.load", (0,)),
        Sink("jsonpickle.decode", (0, "string")),
        Sink("jsonpickle.loads", (0, "string")),
        Sink("shelve.open", (0, "filename")),
        Sink("joblib.load", (0, "filename")),
        Sink("torch.load", (0, "f"), when=(("weights_only", "!True"),)),
        Sink("numpy.load", (0, "file"), when=(("allow_pickle", "True"),)),
        Sink("pandas.read_pickle", (0, "filepath_or_buffer")),
        *(Sink(f"{package}.models.load_model", (0, "filepath")) for package in ("keras", "tensorflow.keras")),
        *(Sink(f"ruamel.yaml.{name}", (0, "stream"), when=_SAFE_LOADERS) for name in ("load", "load_all", "unsafe_load")),
        Sink("yaml.load", (0, "stream"), when=_SAFE_LOADERS),
        Sink("yaml.load_all", (0, "stream"), when=_SAFE_LOADERS),
        Sink("yaml.unsafe_load", (0, "stream")),
        Sink("yaml.unsafe_load_all", (0, "stream")),
        Sink("yaml.full_load", (0, "stream")),
        Sink("ruamel.yaml.YAML().load", (0,), when=(("typ", "unsafe"),)),
    ),
    sanitisers=("*.unsign", "hmac.compare_digest"),
    poc="!!python/object/apply:os.system ['id']",
    local_users=True,
)
