"""The examination of the supply chain (D10): every manifest, lock, workflow and container file read and judged.

Known vulnerabilities are not looked up here: there is no data for it in the package, and none is fetched. The limitation
says so in every report.
"""

from collections.abc import Iterator

from counterproof.analysis.dependencies.checks import (
    Concern,
    deceptive_names,
    deployed_folders,
    index_options,
    mutable_references,
    unpinned,
    unverified,
)
from counterproof.analysis.dependencies.ecosystems import LOCKS
from counterproof.analysis.dependencies.inventory import read_manifests
from counterproof.analysis.dependencies.manifest import Manifest, Role
from counterproof.analysis.dependencies.pip_files import options_in_commands
from counterproof.analysis.dependencies.references import references_in
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.secrets.redaction import quote, redact
from counterproof.analysis.source.origin import in_sample_folder
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.ledger import Item, Search
from counterproof.model.location import at
from counterproof.model.survey import SkipReason

NO_VULNERABILITY_DATA = "Known CVEs were not checked: no vulnerability data was supplied"

_QUERIES = (
    (
        "manifest",
        (
            "requirements*.txt, pyproject.toml, setup.cfg, setup.py, Pipfile, environment.yml, pip.conf, package.json, .npmrc, "
            "pom.xml, build.gradle, go.mod, composer.json, Gemfile"
        ),
    ),
    (
        "lock",
        (
            "poetry.lock, uv.lock, pdm.lock, Pipfile.lock, package-lock.json, yarn.lock, pnpm-lock.yaml, gradle.lockfile, "
            "go.sum, composer.lock, Gemfile.lock"
        ),
    ),
    ("reference", "actions in workflows, images in container files, package indexes in commands"),
)


def examine(project: Project) -> Examination:
    """Judges all of it."""
    items: list[Item] = []
    findings: list[Finding] = []
    limitations = [NO_VULNERABILITY_DATA]
    try:
        manifests = read_manifests(project)
        limitations += [problem for manifest in manifests for problem in manifest.problems]
        for kind, path, verdict, concerns in (*_manifests(project, manifests), *_references(project)):
            items.append(Item(Dimension.D10, kind, at(path, 1), True, verdict + _verdict(concerns)))
            findings += [_finding(project, path, concern) for concern in concerns]
    except OutOfTime:
        limitations.append("The supply chain was not examined to the end: the run's time was over")
    searches = tuple(_search(kind, query, items) for kind, query in _QUERIES)
    return Examination(tuple(findings), searches, items=tuple(items), limitations=tuple(limitations))


Judged = tuple[str, str, str, tuple[Concern, ...]]
"""Kind of item, path, what the file is, what is wrong with it."""


def _manifests(project: Project, manifests: tuple[Manifest, ...]) -> Iterator[Judged]:
    deployed = deployed_folders(tuple(project.files))
    for manifest in manifests:
        same = tuple(each for each in manifests if each.ecosystem == manifest.ecosystem)
        concerns: tuple[Concern, ...] = ()
        if not (project.files[manifest.path].test or in_sample_folder(manifest.path)):
            concerns = (
                *unpinned(manifest, same, deployed, _unread_locks(project, manifest.ecosystem)),
                *unverified(manifest),
                *deceptive_names(manifest),
                *index_options(manifest.options),
            )
        kind = "lock" if manifest.role is Role.LOCKS else "manifest"
        yield kind, manifest.path, f"{manifest.role.value} {len(manifest.declared)} dependencies", concerns


def _unread_locks(project: Project, ecosystem: str) -> tuple[str, ...]:
    """Lock files that are there but were left out of the survey, because they are too large for example."""
    names = LOCKS.get(ecosystem, ())
    ours = [each for each in project.survey.skipped if each.reason is not SkipReason.IGNORED]
    return tuple(each.path for each in ours if each.path.rpartition("/")[2] in names)


def _references(project: Project) -> Iterator[Judged]:
    for file in project.survey.files:
        project.checkpoint()
        if file.language is not None and not file.path.endswith(".sh"):
            continue
        name = file.path.rpartition("/")[2].lower()
        text = project.text(file.path) if name.endswith((".yml", ".yaml", ".sh")) or "file" in name else ""
        references = references_in(file.path, text) if text else None
        options = options_in_commands(text) if references is not None or name.endswith(".sh") else ()
        if references is None and not options:
            continue
        shown = file.test or in_sample_folder(file.path)
        concerns = () if shown else (*mutable_references(references or ()), *index_options(options))
        yield "reference", file.path, f"fetches {len(references or ())} actions or images", concerns


def _verdict(concerns: tuple[Concern, ...]) -> str:
    return ": " + "; ".join(dict.fromkeys(concern.rule for concern in concerns)) if concerns else ", nothing to object to"


def _search(kind: str, query: str, items: list[Item]) -> Search:
    paths = tuple(item.location.path for item in items if item.kind == kind)
    return Search(Dimension.D10, kind, query, len(paths), paths)


def _finding(project: Project, path: str, concern: Concern) -> Finding:
    lines = project.text(path).split("\n")
    line = next((number for number in range(concern.line, 0, -1) if lines[number - 1].strip()), 1)
    place = at(path, line)
    severity, rating = concern.weight
    return Finding(
        id="",
        rule=concern.rule,
        title=redact(concern.title)[:200],
        dimension=Dimension.D10,
        cwe=concern.cwe,
        severity=severity,
        confidence=concern.confidence,
        location=place,
        evidence=quote(lines[line - 1]) or path,
        impact=redact(concern.impact),
        rating=rating,
        remedy=concern.remedy,
        no_poc_reason="It takes control of a package, repository or network that is not part of the audit.",
        validation=Validation(
            flow=ValidationStep(StepResult.PASS, "The line stands in the file.", place),
            defence=ValidationStep(StepResult.PASS, "No hash, commit, lock or fixed version was found for it.", place),
            reach=ValidationStep(StepResult.PARTIAL, "An attacker must first control where the code comes from.", place),
            impact=ValidationStep(StepResult.PASS, redact(concern.impact), place),
        ),
    )
