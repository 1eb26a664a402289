"""Which classes are worth filling by name: records that are kept, and accounts.

Always holds: a schema that checks what it is given is none of them, and a plain class counts only if a field of it decides
about rights. Does not belong here: who fills them.
"""

from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax.ir import Assign, Attribute, Class, Name
from counterproof.analysis.syntax.walk import walk

RIGHTS = ("admin", "is_admin", "role", "is_staff", "is_superuser", "superuser", "roles", "permissions")
"""Fields that say what somebody may do."""
PRIVILEGES = (*RIGHTS, "is_active")
_OF_ACCOUNTS = ("role", "roles", "permissions", "is_active")
"""Fields that many things have; they decide about rights only where the thing is an account."""

_SCHEMAS = vocabulary("BaseModel RootModel GenericModel BaseSchema")
_RECORDS = ("Model", "Base", "Document", "Entity", "MappedAsDataclass")
"""What names of classes end with whose objects are kept."""

MESSAGES = vocabulary("validator form serializer serialiser schema request response dto payload command")
"""What classes are called whose objects carry what was sent, to check it and hand it on."""

_ACCOUNTS = vocabulary("user users account accounts member membership employee customer person people profile admin staff client")


def is_fillable(program: EnteredProgram, found: Definition) -> bool:
    """Whether setting any field of such an object may matter."""
    kinds = {name.rpartition(".")[2] for name in program.codebase.ancestry(found).foreign}
    if any(kind.endswith(_RECORDS) and kind not in _SCHEMAS for kind in kinds):
        return True
    if isinstance(found.node, Class) and set(words(found.node.name)) & MESSAGES:
        return False
    return not kinds & _SCHEMAS and (is_account(program, found) or not fields(program, found).isdisjoint(PRIVILEGES))


def decides(program: EnteredProgram, found: Definition | None, name: str) -> bool:
    """Whether a field of this name decides about rights in objects of this class."""
    if name not in PRIVILEGES:
        return False
    return name not in _OF_ACCOUNTS or found is None or is_account(program, found)


def is_account(program: EnteredProgram, found: Definition) -> bool:
    """By its name, or by a password that it keeps."""
    named = isinstance(found.node, Class) and bool(set(words(found.node.name)) & _ACCOUNTS)
    return named or any("password" in name.lower() for name in fields(program, found))


def fields(program: EnteredProgram, found: Definition) -> frozenset[str]:
    """What a class and its bases in the project declare, or put into `self`."""
    names: set[str] = set()
    for each in program.codebase.ancestry(found).own:
        if isinstance(each.node, Class):
            inner = [method.body for method in each.outline.methods(each.node).values() if method.name == "__init__"]
            assigned = [part for part in each.node.body if isinstance(part, Assign)]
            assigned += [node for body in inner for node in walk(*body) if isinstance(node, Assign)]
            targets = [target for part in assigned for target in part.targets]
            names |= {target.id for target in targets if isinstance(target, Name)}
            names |= {target.name for target in targets if isinstance(target, Attribute)}
    return frozenset(names)
