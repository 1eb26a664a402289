"""The four steps for a claim without a flow: the value, what replaces it, whether it runs in production, what it does.

Always holds: the first step is a reader's own answer; without a reader there is no confirmation. Does not belong here: reading
the text.
"""

from counterproof.analysis.backward.derive import Backward
from counterproof.analysis.backward.rereading.answers import unclear
from counterproof.analysis.backward.rereading.passage import Passage, passage_of
from counterproof.analysis.backward.rereading.readers import READERS
from counterproof.analysis.config.settings import Setting, settings_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import load_rules
from counterproof.analysis.syntax.ir import Const
from counterproof.model.errors import CounterproofError
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.location import Location, at

_ELSEWHERE = vocabulary("test tests testing example examples sample samples demo demos fixture fixtures doc docs tutorial")
_DEVELOPMENT = vocabulary("dev development develop local ci sandbox")
MAX_SETTINGS = 200


def reread(backward: Backward, finding: Finding) -> tuple[Validation, Location]:
    """The steps, and the line that decided."""
    project = backward.program.project
    where = at(finding.location.path, finding.location.start)
    if finding.location.path not in project.files:
        missing = ValidationStep(StepResult.FAIL, f"{finding.location.path} is not part of the reviewed code", where)
        return Validation(missing, missing, missing, missing), where
    try:
        passage = passage_of(project, finding)
    except CounterproofError as error:
        unread = ValidationStep(StepResult.PARTIAL, f"{finding.location.path} could not be read again: {error}", where)
        return Validation(unread, unread, unread, unread), where
    reader = READERS.get(finding.cwe)
    answer = reader(passage) if reader else unclear(f"there is no second reading for CWE-{finding.cwe} at {passage.place}")
    validation = Validation(
        ValidationStep(answer.result, answer.text, where),
        _replaced(backward, passage, where),
        _in_production(project, finding, where),
        ValidationStep(StepResult.PASS, f"at {where}: {_consequence(finding)}", where),
    )
    decided = next((step.at for step in validation.steps if step.result is not StepResult.PASS and step.at), where)
    return validation, decided


def _consequence(finding: Finding) -> str:
    """The rule's own words about what follows, or the finder's."""
    return next((each.rule.consequence for each in load_rules() if each.rule.id == finding.rule), finding.impact)


def _in_production(project: Project, finding: Finding, where: Location) -> ValidationStep:
    path = finding.location.path
    parts = {word for part in path.split("/") for word in words(part.rpartition(".")[0] or part)}
    folders = {part.lower() for part in path.split("/")[:-1]}
    if project.files[path].test or folders & _ELSEWHERE:
        return ValidationStep(StepResult.FAIL, f"{path} is test or example code, not what runs", where)
    if parts & _DEVELOPMENT:
        return ValidationStep(StepResult.PARTIAL, f"{path} looks like settings for a developer's machine", where)
    return ValidationStep(StepResult.PASS, f"{path} is part of what runs; it is neither test nor example", where)


def _replaced(backward: Backward, passage: Passage, where: Location) -> ValidationStep:
    """Whether the same setting gets another value later in the file, or in another file of the project."""
    name = passage.name
    if not name.isidentifier() or not name.isupper():
        return ValidationStep(StepResult.PASS, f"nothing at {where} or around it corrects the value", where)
    for path in backward.program.codebase.paths:
        backward.program.project.checkpoint()
        found = list(settings_of(backward.program.codebase.outline(path), frozenset({name})))[:MAX_SETTINGS]
        later = [each for each in found if path != where.path or each.line > passage.place.end]
        for each in later:
            if path == where.path and each.owner is None and each.function is None and not _same(each, passage):
                text = f"{name} gets another value at {path}:{each.line}"
                return ValidationStep(StepResult.FAIL, text, at(path, each.line))
            if path != where.path and not _same(each, passage):
                text = f"{name} gets another value at {path}:{each.line}, which may be the one that counts"
                return ValidationStep(StepResult.PARTIAL, text, at(path, each.line))
    return ValidationStep(StepResult.PASS, f"no other file of the project gives {name} another value", where)


def _same(setting: Setting, passage: Passage) -> bool:
    """The same value, or another fixed text: a second secret in the code corrects nothing."""
    if not isinstance(setting.value, Const):
        return False
    value = setting.value.value
    return isinstance(value, str | bytes) or str(value) in passage.statement
