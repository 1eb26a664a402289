"""Uses of a hard-coded secret, for its proof (A55).

Invariant: a use is of this very value, in code that runs, never of another value with the same name. The literal is used in
place, or through the variable that holds it, in its own file or in a file that imports it, or by a unique setting name. Not
handled here: whether it is a secret.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from counterproof.analysis.accounts import knows_callers
from counterproof.analysis.program.callees import called_function, script_outline
from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.proofs import fact_at
from counterproof.analysis.secrets.arguments import secret_parameters
from counterproof.analysis.secrets.candidate import Candidate, Place
from counterproof.analysis.secrets.secret_names import MAX_NAME, SIGNING, Kind
from counterproof.analysis.secrets.tokens import groups_of, tokens_of
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, last_name, walk
from counterproof.model.fact import MAX_SYMBOL, Fact, Operation
from counterproof.model.location import Location, at
from counterproof.model.survey import FileRole, Language

IN_PLACE = (Place.PASSED, Place.COMPARED, Place.SEEDED)
"""The literal is used where it is written."""
MAX_TRIED = 20
_READ = (Language.PYTHON, *SCRIPTS)
_TAKERS = vocabulary(
    "sign signed verify encrypt decrypt encode decode hmac jwt jws jwe cipher cipheriv fernet aes session sessions cookie "
    "cookies connect connection connector login auth authenticate authorize oauth basic credentials client transport pool engine "
    "hash bcrypt scrypt pbkdf digest compare passport bearer mongo redis mysql postgres smtp password secret key"
)
"""Words in the names of functions and classes that use secrets."""
_LETTING_IN = vocabulary("sign signed signing verify jwt jws session sessions passport authenticate authenticated")
"""Name words of code that authenticates callers with a secret."""

_ACCOUNTS = vocabulary("user users account accounts admin member")
"""Name words of collections of users who can log in."""
_PASSWORD = vocabulary("pass pwd secr")
"""Prefixes of words that mean a password."""
_DEVELOPING = vocabulary("dev develop development debug testing test local")
_FOR_SHOW = vocabulary("demo guest seed seeds sample fake dummy dev fixture fixtures example try")
"""Name words of public demo accounts, and of code that fills a development database."""


@dataclass(frozen=True, slots=True)
class Use:
    """`taken`: by code that uses secrets, or by the name of a setting; otherwise it was only read."""

    fact: Fact
    taken: bool


def use_of(project: Project, candidate: Candidate) -> Use | None:
    """The strongest use; None if none was found."""
    name = candidate.name.rpartition(".")[2][:MAX_NAME]
    signs = name.upper() in SIGNING and candidate.place is not Place.DEFAULT
    found = _in_code(project, candidate) if project.files[candidate.path].language in _READ else None
    if candidate.place in IN_PLACE or candidate.handed or signs:
        here = found.fact if found is not None else fact_at(project, at(candidate.path, candidate.line))
        return Use(here, True) if here is not None else None
    if candidate.kind is Kind.PASSWORD and (compared := compared_at(project, candidate)):
        return Use(Fact(compared, Operation.COMPARE, name), True)
    if not name.isidentifier():
        return None
    return found if found is not None and found.taken else (_read_elsewhere(project, candidate, name) or found)


def is_used(project: Project, candidate: Candidate) -> bool:
    """Return True if a word is used as a secret: in place, by a framework's setting, or through its variable. An entry of a
    mapping counts only in place, because other entries have the same name."""
    if candidate.place in IN_PLACE or candidate.handed or candidate.name.rpartition(".")[2].upper() in SIGNING:
        return True
    if candidate.place in (Place.ASSIGNED, Place.DEFAULT):
        use = use_of(project, candidate)
        return (use is not None and use.taken) or compared_at(project, candidate) is not None
    found = _in_code(project, candidate) if project.files[candidate.path].language in _READ else None
    return found is not None and found.taken


def is_taken_as_another(project: Project, candidate: Candidate) -> bool:
    """Return True if it is passed to a function of the project that takes something else there, such as a message."""
    language = project.files[candidate.path].language
    if candidate.place is not Place.PASSED or not candidate.name.endswith("()") or language is None or language not in _READ:
        return False
    python = language is Language.PYTHON
    outline = codebase_of(project).outline(candidate.path) if python else script_outline(project, candidate.path)
    for site in outline.of(ir.Call):
        places = [place for place, each in enumerate(site.node.arguments) if _is_literal(candidate, each.value)]
        where, function = called_function(project, outline, site, language) if places else (outline, None)
        if function is not None:
            groups = groups_of(text := project.text(where.path), tokens_of(text, where.path))
            taken = secret_parameters(groups).get(function.name)
            return taken is not None and not taken.kept.intersection(places)
    return False


def lets_in(project: Project, candidate: Candidate, use: Use | None) -> bool:
    """Return True if this program grants access to everyone who knows it: compares it with input, creates an account with it, or
    signs sessions and tokens with it. In a program without accounts, a framework's key signs only forms and messages."""
    name = candidate.name.rpartition(".")[2]
    if candidate.place is Place.COMPARED or (candidate.kind is Kind.PASSWORD and compared_at(project, candidate)):
        return True
    if candidate.place is Place.SEEDED:
        return not is_for_show(candidate)
    if name.upper() in SIGNING:
        return knows_callers(project)
    by = {*words(use.fact.symbol)} if use is not None else set[str]()
    return bool(by & _ACCOUNTS if candidate.kind is Kind.PASSWORD else {*words(name), *by} & _LETTING_IN)


def compared_at(project: Project, candidate: Candidate) -> Location | None:
    """The location where the file compares input with the value by name: the value then grants access to this program. The other
    operand is named like a password too; otherwise it is a choice."""
    name = re.escape(candidate.name.rpartition(".")[2][:MAX_NAME])
    if not name or candidate.place in (Place.SEEDED, Place.DEFAULT):
        return None
    compared = rf"[=!]= ?(?:\w{{1,40}}\.){{0,3}}{name}\b|\b{name}\b[\"']?\]? ?[=!]=|compare_digest\([^\n]{{0,200}}\b{name}\b"
    text = project.text(candidate.path) if project.files[candidate.path].language is not None else ""
    for found in re.finditer(compared, text):
        line = text.count("\n", 0, found.start()) + 1
        spoken = words(project.line(candidate.path, line)[:500].replace(candidate.name, " "))
        if candidate.kind is not Kind.PASSWORD or _PASSWORD & {each[:4] for each in spoken}:
            return at(candidate.path, line)
    return None


def is_for_show(candidate: Candidate) -> bool:
    """Return True if the names around the account say that it is public."""
    return bool(_FOR_SHOW.intersection((*words(candidate.function), *words(candidate.path.rpartition("/")[2]))))


def is_for_developers(project: Project, candidate: Candidate) -> bool:
    """Return True if it is set only in the program's development mode."""
    if project.files[candidate.path].language not in _READ:
        return False
    branches = (each for each in walk(*project.module(candidate.path).body) if isinstance(each, ir.Branch) and each.body)
    around = (each for each in branches if each.body[0].line <= candidate.line <= each.body[-1].end)
    return any(not isinstance(each.test, ir.Not) and _DEVELOPING.intersection(_spoken(each.test)) for each in around)


def _spoken(test: ir.Expr) -> Iterator[str]:
    for each in walk(test):
        said = each.value if isinstance(each, ir.Const) else last_name(each) if isinstance(each, ir.Name | ir.Attribute) else ""
        yield from words(said) if isinstance(said, str) else ()


def set_elsewhere(project: Project, candidate: Candidate) -> Location | None:
    """Another file that sets the same setting: the value in code is then a default that the installation may replace."""
    name = candidate.name.rpartition(".")[2][:MAX_NAME]
    if project.files[candidate.path].language not in _READ or not (name.isupper() and "_" in name):
        return None
    line = re.compile(rf"^[ \t#]*(?:export |ENV )?[\"']?{re.escape(name)}[\"']?[ \t]?[:=](?!=)", re.MULTILINE)
    for file in project.survey.files:
        text = project.text(file.path) if file.path != candidate.path and file.role not in (FileRole.TEST, FileRole.CI) else ""
        if name in text and (found := line.search(text)):
            return at(file.path, text.count("\n", 0, found.start()) + 1)
    return None


def _in_code(project: Project, candidate: Candidate) -> Use | None:
    """The use by the code that receives the literal, or its variable."""
    module = project.module(candidate.path)
    nodes = list(walk(*module.body))
    calls = [each for each in nodes if isinstance(each, ir.Call)]
    given = [call for call in calls if any(_is_literal(candidate, each) for each in _values(*call.arguments))]
    if given:
        return _by(module, given[-1])
    around = _around(nodes, candidate.line)
    bound = {
        name
        for node in nodes
        if isinstance(node, ir.Assign) and node.value is not None
        if any(_is_literal(candidate, each) for each in _values(node.value))
        for target in node.targets
        if (name := last_name(target))
    }
    near = [call for call in calls if around is None or around.line <= call.line <= around.end]
    uses = [_by(module, call) for call in near if bound & {last_name(each) for each in _values(*call.arguments)}]
    return next((each for each in uses if each is not None and each.taken), None)


def _around(nodes: list[ir.Node], line: int) -> ir.Function | None:
    """The innermost function around a line."""
    inside = [each for each in nodes if isinstance(each, ir.Function) and each.line <= line <= each.end]
    return min(inside, key=lambda each: each.end - each.line, default=None)


def _is_literal(candidate: Candidate, node: ir.Expr) -> bool:
    return (
        isinstance(node, ir.Const) and node.line == candidate.line and node.value in (candidate.value, candidate.value.encode())
    )


def _values(*given: ir.Argument | ir.Expr) -> Iterator[ir.Expr]:
    """The parts of an expression as data: through mappings and lists, not into calls or functions."""
    pending = [each.value if isinstance(each, ir.Argument) else each for each in given]
    while pending:
        current = pending.pop(0)
        if isinstance(current, ir.Mapping):
            pending += [value for _, value in current.entries]
        elif isinstance(current, ir.Sequence):
            pending += current.items
        else:
            yield current


def _by(module: ir.Module, call: ir.Call) -> Use | None:
    name = last_name(call.callee)
    if not name:
        return None
    takes = bool(_TAKERS.intersection(words(dotted(call.callee, module) or name)))
    return Use(Fact(at(module.path, call.line), Operation.CALL, name[:MAX_SYMBOL]), takes)


def _read_elsewhere(project: Project, candidate: Candidate, name: str) -> Use | None:
    """A line that reads a constant or a setting by its name in capitals. One of several words is unique; any other counts in the
    file itself and in files that import it. A line that assigns the name does not read it."""
    from counterproof.analysis.facts import holds

    if not name.isupper():
        return None
    word = re.compile(rf"\b{name}\b(?![\"']?\s?:(?!:))")
    own = rf"(?<![\w'\"/.-]){name}(?![\w'\"/.-])"
    imported = re.compile(rf"\b(?:import|require)\b[^\n]{{0,300}}{own}|{own}[^\n]{{0,100}}\brequire\(")
    code = (each.path for each in project.survey.files if each.role is FileRole.RUNTIME and each.language is not None)
    facts = (
        Fact(at(path, number), Operation.READ, name)
        for path in code
        if name in (text := project.text(path)) and ("_" in name or path == candidate.path or imported.search(text))
        for number, line in enumerate(text.split("\n"), 1)
        if (path, number) != (candidate.path, candidate.line) and word.search(line[:2_000])
    )
    return next((Use(fact, True) for fact in islice(facts, MAX_TRIED) if holds(project, fact)), None)
