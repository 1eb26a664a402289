"""The examination of the supply chain (D10): the supply rules on every manifest, lock, workflow and container file.

Known vulnerabilities are looked up in the user's own data. Nothing is downloaded or shipped with the package; without data no
search is recorded, and the coverage says that vulnerabilities were not checked.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.dependencies.inventory import LOCKS, read_manifests
from counterproof.analysis.dependencies.known import Compared, compared
from counterproof.analysis.dependencies.manifest import Manifest, Role
from counterproof.analysis.dependencies.options import options_in_commands
from counterproof.analysis.dependencies.references import references_in
from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.dependencies.supplies import RATINGS, Concern, Supplies, deployed_folders, loose
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.proofs import mention, stored_value
from counterproof.analysis.ruleset import RuleInfo, SupplyRule, load_rules
from counterproof.analysis.secrets.redaction import quote, redact
from counterproof.analysis.source.origin import in_sample_folder
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.ledger import Item, Search
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, Guess, Link, Part, Proof, Shape
from counterproof.model.survey import SkipReason

_QUERIES = (
    (
        "manifest",
        (
            "requirements*.txt, pyproject.toml, setup.cfg, setup.py, Pipfile, pip.conf, package.json, .npmrc, "
            "pom.xml, build.gradle, go.mod, composer.json, Gemfile"
        ),
    ),
    (
        "lock",
        (
            "poetry.lock, uv.lock, pdm.lock, Pipfile.lock, package-lock.json, yarn.lock, pnpm-lock.yaml, bun.lock, "
            "gradle.lockfile, composer.lock, Gemfile.lock"
        ),
    ),
    ("reference", "actions in workflows, images in container files, package indexes in commands"),
)
_NAME = re.compile(r"[\w.-]+")
_MAX_LINE = 10_000
NO_POC = "It takes control of a package, repository or network that is not part of the audit."

Judged = tuple[str, str, Supplies]
"""Kind of item, kind of file, and the file."""


def examine(project: Project) -> Examination:
    """Examine the supply chain of a project."""
    items: list[Item] = []
    findings: list[Finding] = []
    limitations: list[str] = []
    known = Compared({})
    try:
        manifests = read_manifests(project)
        limitations += [problem for each in manifests if not project.files[each.path].test for problem in each.problems]
        known = compared(project, tuple(each for each in manifests if not _aside(project, each.path)))
        for kind, what, supplies in (*_manifests(project, manifests, known), *_references(project)):
            rules = [] if _aside(project, supplies.path) else _concerns(supplies)
            items.append(Item(Dimension.D10, kind, at(supplies.path, 1), True, what + _verdict(rules)))
            findings += [_finding(project, supplies.path, info, concern) for info, concern in rules]
    except OutOfTime:
        limitations.append("The supply chain was not examined to the end: the run's time was over")
    return Examination(
        tuple(findings),
        (*(_search(kind, query, items) for kind, query in _QUERIES), *known.searches),
        items=(*items, *known.items),
        limitations=(*known.limitations, *limitations),
    )


def _aside(project: Project, path: str) -> bool:
    """Return True for files of tests and samples, which are read but not checked."""
    return project.files[path].test or in_sample_folder(path)


def _concerns(supplies: Supplies) -> list[tuple[RuleInfo, Concern]]:
    """The concerns of the rules, in line order."""
    rules = [each.rule for each in load_rules() if isinstance(each.rule, SupplyRule)]
    found = [(rule, concern) for rule in rules for concern in rule.check(supplies)]
    return sorted(found, key=lambda each: (each[1].line, each[0].id))


def _manifests(project: Project, manifests: tuple[Manifest, ...], known: Compared) -> Iterator[Judged]:
    deployed = deployed_folders(tuple(project.files))
    for manifest in manifests:
        supplies = Supplies(
            manifest.path,
            manifest=manifest,
            options=manifest.options,
            siblings=tuple(each for each in manifests if each.ecosystem == manifest.ecosystem),
            unread_locks=_unread_locks(project, manifest.ecosystem),
            deployed=deployed,
            known=known.known.get(manifest.path, ()),
        )
        inexact = len(loose(manifest)) if manifest.role is Role.DECLARES else 0
        what = f"{manifest.role.value} {len(manifest.declared)} dependencies"
        what += f", {inexact} without an exact version" if inexact else ""
        yield "lock" if manifest.role is Role.LOCKS else "manifest", what, supplies


def _unread_locks(project: Project, ecosystem: str) -> tuple[str, ...]:
    """Lock files that exist but were left out of the survey, for example because of their size."""
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
        if references is not None or options:
            what = f"fetches {len(references or ())} actions or images"
            yield "reference", what, Supplies(file.path, text, references=references or (), options=options)


def _verdict(concerns: list[tuple[RuleInfo, Concern]]) -> str:
    return ": " + "; ".join(dict.fromkeys(info.id for info, _ in concerns)) if concerns else ", nothing to object to"


def _search(kind: str, query: str, items: list[Item]) -> Search:
    paths = tuple(item.location.path for item in items if item.kind == kind)
    return Search(Dimension.D10, kind, query, len(paths), paths)


def _finding(project: Project, path: str, info: RuleInfo, concern: Concern) -> Finding:
    lines = project.text(path).split("\n")
    start = min(concern.line, len(lines))
    line = next((number for number in range(start, 0, -1) if lines[number - 1].strip()), 1)
    place = at(path, line)
    severity = concern.severity or info.severity
    impact = redact(concern.impact or info.consequence)
    found = Finding(
        id="",
        rule=info.id,
        title=redact(concern.title)[:200],
        dimension=info.dimension,
        cwe=info.cwe,
        severity=severity,
        confidence=concern.confidence,
        location=place,
        evidence=quote(lines[line - 1]) or path,
        impact=impact,
        rating=concern.rating or RATINGS[severity],
        remedy=concern.remedy or info.remedy,
        no_poc_reason=NO_POC,
        also=concern.also,
        posture=info.posture,
        proof=_proof(project, place, concern),
    )
    return replace(
        found,
        validation=Validation(
            flow=ValidationStep(StepResult.PASS, "The line is in the file.", place),
            defence=ValidationStep(StepResult.PASS, concern.defence, place),
            reach=ValidationStep(StepResult.PARTIAL, concern.reach, place),
            impact=ValidationStep(StepResult.PASS, impact, place),
        ),
    )


def _proof(project: Project, place: Location, concern: Concern) -> Proof:
    """A known vulnerability is proved by package and advisory; anything else by a line whose effect on a build was not observed
    (A55)."""
    if not concern.advisory:
        return stored_value(project, place)
    package = mention(project, place, _as_written(project.line(place.path, place.start), concern.package))
    links = (Link(Part.PACKAGE, package),) if package else ()
    unused = () if links else (Assumption(Guess.MISSING_PART, concern.package),)
    return Proof(Shape.KNOWN_FLAW, links, assumptions=unused, advisory=concern.advisory)


def _as_written(line: str, package: str) -> str:
    """The package's name as spelt in the line: an index treats `-`, `_`, `.` and case as equal."""
    words = (found.strip("._-") for found in _NAME.findall(line[:_MAX_LINE]))
    return next((word for word in words if normal_name(word) == normal_name(package)), package)
