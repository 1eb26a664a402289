"""The compose file and the manifests: well formed, true to this program, and confined. Neither was ever run.

The schemas are our own and closed: a key that they do not name is refused, so that a misspelt one is noticed.
"""

from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import typer
import yaml
from jsonschema import Draft202012Validator, ValidationError

from counterproof.cli.main import app

FOLDER = Path(__file__).parents[2] / "examples" / "fleet"
PATHS = {"/live", "/ready"}
"""What a worker's health answers."""
VARIABLES = {"COUNTERPROOF_FLEET", "COUNTERPROOF_HOME"}


def record(required: str, **fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": required.split(), "additionalProperties": False}


def each(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of, "minItems": 1}


def named(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": of, "minProperties": 1}


TEXT, NUMBER, TRUE, FALSE = {"type": "string", "minLength": 1}, {"type": "integer"}, {"const": True}, {"const": False}
NAME = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "maxLength": 63}
SPAN = {"type": "string", "pattern": "^[0-9]+(s|m)$"}
LABELS = named(TEXT)
PROBE = record("httpGet", httpGet=record("path port", path={"enum": sorted(PATHS)}, port=NAME))

COMPOSE = record(
    "services volumes",
    volumes=named({"type": "object", "maxProperties": 0}),
    services=named(
        record(
            "image",
            image=TEXT, command=each(TEXT), environment=named(TEXT), volumes=each(TEXT), read_only=TRUE, tmpfs=each(TEXT),
            cap_drop={"const": ["ALL"]}, security_opt={"const": ["no-new-privileges:true"]}, stop_grace_period=SPAN,
            deploy=record("replicas", replicas=NUMBER),
            healthcheck=record("test interval retries", test=each(TEXT), interval=SPAN, retries=NUMBER),
            depends_on=named(record("condition", condition={"enum": ["service_healthy", "service_completed_successfully"]})),
        )
    ),
)  # fmt: skip
SECRET = record("name key", name=NAME, key=TEXT)
CONTAINER = record(
    "name image args env ports livenessProbe readinessProbe resources securityContext volumeMounts",
    name=NAME, image=TEXT, args=each(TEXT), livenessProbe=PROBE, readinessProbe=PROBE,
    env=each({
        "oneOf": [
            record("name value", name=TEXT, value=TEXT),
            record("name valueFrom", name=TEXT, valueFrom=record("secretKeyRef", secretKeyRef=SECRET)),
        ]
    }),
    ports=each(record("name containerPort", name=NAME, containerPort=NUMBER)),
    resources=record("requests limits", requests=named(TEXT), limits=named(TEXT)),
    securityContext=record(
        "allowPrivilegeEscalation readOnlyRootFilesystem capabilities",
        allowPrivilegeEscalation=FALSE, readOnlyRootFilesystem=TRUE, capabilities=record("drop", drop={"const": ["ALL"]}),
    ),
    volumeMounts=each(record("name mountPath", name=NAME, mountPath={"type": "string", "pattern": "^/"}, subPath=TEXT)),
)  # fmt: skip
POD = record(
    "automountServiceAccountToken terminationGracePeriodSeconds securityContext containers volumes",
    automountServiceAccountToken=FALSE, terminationGracePeriodSeconds=NUMBER, containers=each(CONTAINER),
    securityContext=record(
        "runAsNonRoot runAsUser seccompProfile",
        runAsNonRoot=TRUE, runAsUser={"const": 10001}, seccompProfile=record("type", type={"const": "RuntimeDefault"}),
    ),
    volumes=each(record("name emptyDir", name=NAME, emptyDir=record("sizeLimit", sizeLimit=TEXT))),
)  # fmt: skip
DEPLOYMENT = record(
    "apiVersion kind metadata spec",
    apiVersion={"const": "apps/v1"}, kind={"const": "Deployment"}, metadata=record("name", name=NAME),
    spec=record(
        "replicas selector template",
        replicas=NUMBER, selector=record("matchLabels", matchLabels=LABELS),
        template=record("metadata spec", metadata=record("labels", labels=LABELS), spec=POD),
    ),
)  # fmt: skip


def document(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text())


@pytest.mark.parametrize(("name", "schema"), [("compose.yaml", COMPOSE), ("kubernetes.yaml", DEPLOYMENT)])
def test_an_example_has_the_form_that_its_reader_takes(name: str, schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)
    checker = Draft202012Validator(schema)
    checker.validate(document(name))
    assert (FOLDER / name).read_text().startswith("# An example, not run")
    inner = document(name)
    (inner.get("services") or inner["spec"]["template"]["spec"])["misspelt"] = "x"
    with pytest.raises(ValidationError):
        checker.validate(inner)


def commands() -> list[list[str]]:
    """What the examples have this program do."""
    services = document("compose.yaml")["services"].values()
    pods = document("kubernetes.yaml")["spec"]["template"]["spec"]["containers"]
    return [
        *(service["command"] for service in services if service["image"].startswith("counterproof")),
        *(pod["args"] for pod in pods),
    ]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_its_commands_are_ones_of_this_program(words: list[str]) -> None:
    command: Any = typer.main.get_command(app)
    while hasattr(command, "commands"):
        command, words = command.commands[words[0]], words[1:]
    command.make_context(command.name, list(words))


def test_what_the_manifest_names_is_there() -> None:
    spec = document("kubernetes.yaml")["spec"]
    pod = spec["template"]["spec"]
    [worker] = pod["containers"]
    assert spec["selector"]["matchLabels"].items() <= spec["template"]["metadata"]["labels"].items()
    assert {mount["name"] for mount in worker["volumeMounts"]} <= {volume["name"] for volume in pod["volumes"]}
    ports = {port["name"]: port["containerPort"] for port in worker["ports"]}
    assert {worker[probe]["httpGet"]["path"] for probe in ("livenessProbe", "readinessProbe")} == PATHS
    assert str(ports[worker["livenessProbe"]["httpGet"]["port"]]) == worker["args"][worker["args"].index("--health") + 1]
    variables = {each["name"]: each.get("value") for each in worker["env"]}
    assert set(variables) <= VARIABLES
    _confined(variables["COUNTERPROOF_HOME"], [mount["mountPath"] for mount in worker["volumeMounts"]])


def test_what_the_compose_file_names_is_there() -> None:
    found = document("compose.yaml")
    services = found["services"]
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert {each.partition(":")[0] for each in service.get("volumes", ())} <= set(found["volumes"])
        for name, value in service["environment"].items():
            assert not name.startswith("COUNTERPROOF") or name in VARIABLES
            assert "PASSWORD" not in value or ":?" in value  # it must be given, and stands in no file
    worker = services["worker"]
    assert worker["read_only"]
    assert worker["cap_drop"]
    _confined(worker["environment"]["COUNTERPROOF_HOME"], worker["tmpfs"])


def _confined(home: str, mounts: list[str]) -> None:
    """A worker keeps its files below what it may write to, in a folder that it makes: the mount is not its own to close."""
    assert any(PurePosixPath(mount) in PurePosixPath(home).parents for mount in mounts)
    assert "/tmp" in mounts
