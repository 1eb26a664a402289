"""Schemas that take over every field of a model, or all but a few: serialisers, forms, models of a request's body.

Always holds: reported only where the model really has a field that decides about rights, money or whose the object is, and
neither the schema makes it read-only nor the project sets it. Does not belong here: objects filled by hand.
"""

from collections.abc import Iterator

from counterproof.analysis.control.fillable import RIGHTS
from counterproof.analysis.control.lookups import SHIPPED_ACCOUNT, model_of
from counterproof.analysis.control.messages import MASS_ASSIGNMENT, finding
from counterproof.analysis.control.owned_tables import is_owned, owned_stores
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.mentioned import outlines_with_kin
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Expr, Function, Mapping, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.severity import Confidence

PRIVILEGES = (*RIGHTS, "balance", "credit")
_OWNERS = ("owner", "user", "author", "created_by", "customer")
_KEYS = ("ForeignKey", "OneToOneField")
_STAFF_PAGES = frozenset({"ModelAdmin", "StackedInline", "TabularInline", "GenericTabularInline", "GenericStackedInline"})
_SCHEMAS = ("ModelSerializer", "HyperlinkedModelSerializer", "ModelForm")


def open_schemas(quotes: Quotes, program: EnteredProgram) -> Iterator[Finding]:
    for outline in outlines_with_kin(program.codebase, _SCHEMAS):
        for owner in outline.module.classes:
            foreign = program.codebase.ancestry(Definition(outline, owner)).foreign if owner.bases else ()
            if any(name.rpartition(".")[2] in _SCHEMAS for name in foreign) and not _is_for_staff(program, owner):
                yield from _judged(quotes, program, outline, owner)


def _judged(quotes: Quotes, program: EnteredProgram, outline: Outline, owner: Class) -> Iterator[Finding]:
    meta = outline.classes.get(f"{owner.qualified}.Meta")
    settings = outline.attributes(meta) if meta is not None else {}
    excluded, model = settings.get("exclude"), settings.get("model")
    fields = settings.get("fields") or excluded
    if fields is None or model is None or (fields is not excluded and text_of(fields) != "__all__"):
        return
    protected = _texts(settings.get("read_only_fields")) | _texts(excluded) | set(outline.attributes(owner))
    columns = [name for name in _columns(program, outline, model) if name not in protected]
    open_to_all = [name for name in columns if name in PRIVILEGES]
    open_to_all += [name for name in columns if _names_owner(program, outline, owner, model, name)]
    if open_to_all:
        why = f"Every field of the model can be sent, {', '.join(open_to_all)} among them."
        yield finding(quotes, MASS_ASSIGNMENT, at(outline.path, fields.line), None, why, owner.qualified, Confidence.MEDIUM)


def _names_owner(program: EnteredProgram, outline: Outline, schema: Class, model: Expr, name: str) -> bool:
    """A key to people that says whose the object is, where nothing that uses the schema fills it in."""
    found = program.codebase.meaning(outline, model)
    if (
        name not in _OWNERS
        or not found
        or not isinstance(found.node, Class)
        or not is_owned(found.node.name, owned_stores(program))
    ):
        return False
    value = found.outline.attributes(found.node).get(name)
    is_key = isinstance(value, Call) and found.outline.dotted(value.callee).rpartition(".")[2] in _KEYS
    return is_key and not _is_filled_in(program, schema, name)


def _is_for_staff(program: EnteredProgram, schema: Class) -> bool:
    """Whether nothing but pages of Django's own administration use the schema; whoever sees those may set every field."""
    users = _users(program, schema)
    bases = [[base for base in each.bases if isinstance(base, Attribute | Name)] for each in users if isinstance(each, Class)]
    names = [{base.name if isinstance(base, Attribute) else base.id for base in each} for each in bases]
    return bool(users) and len(names) == len(users) and all(each & _STAFF_PAGES for each in names)


def _users(program: EnteredProgram, schema: Class) -> list[Function | Class]:
    """What speaks of a schema, without the schema itself and its settings."""
    speakers = program.codebase.remembered(("who speaks of what",), lambda: _speakers(program))
    own = f"{schema.qualified}."
    return [each for each in speakers.get(schema.name, ()) if each is not schema and not each.qualified.startswith(own)]


def _is_filled_in(program: EnteredProgram, schema: Class, field: str) -> bool:
    """Whether code that uses the schema sets the field by itself: `order.owner = request.user`, `save(owner=request.user)`."""
    for node in walk(*(statement for each in _users(program, schema) for statement in each.body)):
        if isinstance(node, Assign) and any(isinstance(each, Attribute) and each.name == field for each in node.targets):
            return True
        if isinstance(node, Call) and any(each.keyword == field for each in node.arguments):
            return True
    return False


def _speakers(program: EnteredProgram) -> dict[str, list[Function | Class]]:
    """The functions and classes that mention a name, for every name of the program."""
    found: dict[str, list[Function | Class]] = {}
    for outline in program.codebase.outlines():
        free = (each for each in outline.module.functions if not each.owner)
        for speaker in (*free, *outline.module.classes):
            for name in {each.id for each in walk(*speaker.body) if isinstance(each, Name)}:
                found.setdefault(name, []).append(speaker)
    return found


def _columns(program: EnteredProgram, outline: Outline, model: Expr) -> list[str]:
    """What the model keeps; of the account that Django ships, what decides about rights."""
    if model_of(program, program.file(outline.path), model) == SHIPPED_ACCOUNT:
        return ["is_staff", "is_superuser"]
    return declared(program, outline, model)


def _texts(value: Expr | None) -> set[str]:
    return {text for node in walk(value) if (text := text_of(node)) is not None} if value is not None else set()


def allows_more(program: EnteredProgram, outline: Outline, model: Expr) -> bool:
    """Whether a model of a request's body takes fields that it does not declare: `extra="allow"`, in any of its spellings."""
    found = program.codebase.meaning(outline, model)
    if not found or not isinstance(found.node, Class):
        return False
    for each in program.codebase.ancestry(found).own:
        if isinstance(each.node, Class) and any(_says_allow(part) for part in _extras(each.outline, each.node)):
            return True
    return False


def _extras(outline: Outline, owner: Class) -> Iterator[Expr]:
    """What a class says about further fields: as a keyword, in `model_config`, in an inner class `Config`."""
    yield from (each.value for each in owner.keywords if each.keyword == "extra")
    config = outline.attributes(owner).get("model_config")
    if isinstance(config, Call):
        yield from (each.value for each in config.arguments if each.keyword == "extra")
    elif isinstance(config, Mapping):
        yield from (value for key, value in config.entries if text_of(key) == "extra")
    inner = outline.classes.get(f"{owner.qualified}.Config")
    extra = outline.attributes(inner).get("extra") if inner is not None else None
    if extra is not None:
        yield extra


def _says_allow(value: Expr) -> bool:
    return text_of(value) == "allow" or (isinstance(value, Attribute) and value.name == "allow")


def declared(program: EnteredProgram, outline: Outline, model: Expr) -> list[str]:
    """Fields that a class of the project and its bases declare, assigned or annotated."""
    found = program.codebase.meaning(outline, model)
    if not found or not isinstance(found.node, Class):
        return []
    names: list[str] = []
    for each in program.codebase.ancestry(found).own:
        if isinstance(each.node, Class):
            targets = [target for part in each.node.body if isinstance(part, Assign) for target in part.targets]
            names += [target.id for target in targets if isinstance(target, Name)]
    return names
