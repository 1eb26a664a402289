"""Passwords that users choose: where Django stores them by functions that run no validators, and whether anything looks at them.

Always holds: literals, random passwords and code that no request reaches do not count; a measure of any password, anywhere in the
project, counts for all of them. Does not belong here: how passwords are hashed.
"""

from collections.abc import Iterator

from counterproof.analysis.config.passwords import PASSWORDS
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import has_django_settings
from counterproof.analysis.program.traits import anywhere, trait
from counterproof.analysis.program.traversal import argument, called, calls_in, keyword, text_of
from counterproof.analysis.program.words import mentions, names_in, vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Comprehension, Const, Expr, Function, Name
from counterproof.analysis.syntax.walk import walk

_STORING = {"create_user": 2, "set_password": 0}
"""Methods of users and their managers, and where they take the password."""
_CHOSEN = vocabulary("request form cleaned data validated post json body serializer payload")
RANDOM = vocabulary("random generate generated token secret uuid default temporary initial unusable")
"""Words of passwords that nobody chose."""
_MADE_UP = RANDOM | {"make"}
_CHECKING = (
    "validate_password", "password_validation", "MinimumLengthValidator", "validate_password_strength", "zxcvbn",
    "password_strength", "password_validator", "pwnedpasswords",
)  # fmt: skip
_JUDGING = vocabulary("strength policy strong weak complexity valid validate validator validates requirements rules acceptable")
_LOOKING = ("len", "match", "fullmatch", "search")
_BOUNDS = frozenset({"min_length", "minLength", "minlength", "Length", "Regexp", "constr", "StringConstraints", "MinLen"})
_PRESENCE = frozenset({"DataRequired", "InputRequired", "EqualTo", "Optional", "Required", "validators"})
"""Validators of forms that say nothing about what a password is like."""
_BY_FRAMEWORK = ("usercreationform", "setpasswordform", "passwordchangeform", "passwordresetform")
_OUTSIDE = vocabulary("management commands command tests test factories factory seed fixtures migrations scripts conftest")


def unchecked_passwords(codebase: Codebase, outline: Outline) -> Iterator[Site[Call]]:
    """`User.objects.create_user(name, mail, request.POST["password"])`, `user.set_password(form.cleaned_data["password"])`."""
    if not has_django_settings(codebase) or set(words(outline.path)) & _OUTSIDE:
        return
    for site in outline.of(Call):
        callee = site.node.callee
        if not isinstance(callee, Attribute) or callee.name not in _STORING or site.function is None:
            continue
        if site.function.name in _STORING or by_framework(codebase, outline, site.function):
            continue
        if _is_chosen(outline, site.function, _given(site.node, callee.name)):
            yield site


def _given(call: Call, name: str) -> Expr | None:
    """The password, or the mapping that holds it: `create_user(**validated_data)`."""
    given = argument(call, _STORING[name], "password") or keyword(call, "raw_password") or keyword(call, "password")
    spread = next((each.value for each in call.arguments if each.spread), None)
    return given or spread


def _is_chosen(outline: Outline, function: Function, given: Expr | None) -> bool:
    """Whether a value comes from a request or a form, directly or by a variable of the function."""
    if given is None or isinstance(given, Const):
        return False
    assigned = outline.local(function, given.id) if isinstance(given, Name) else None
    made = assigned.value if assigned is not None and assigned.value is not None else given
    spoken = words_in(made)
    return bool(spoken & _CHOSEN) and not spoken & _MADE_UP


def by_framework(codebase: Codebase, outline: Outline, function: Function) -> bool:
    """Forms of Django that run the validators, and forms made from them: `UserCreationForm(request.POST)`, and their methods."""
    owner = outline.classes.get(function.owner)
    spoken = {*names_in(*function.body), *(codebase.ancestry(Definition(outline, owner)).foreign if owner else ())}
    for call in calls_in(*function.body):
        found = codebase.meaning(outline, call.callee, function)
        if found is not None and isinstance(found.node, Class):
            spoken |= set(codebase.ancestry(found).foreign)
    joined = {"".join(words(name.rpartition(".")[2])) for name in spoken}
    return any(form in name for name in joined for form in _BY_FRAMEWORK)


def is_checked_somewhere(codebase: Codebase) -> bool:
    """Whether the project runs validators, compares the length of a password, or gives its field a minimum."""
    return anywhere(codebase, _checks)


@trait("checks of new passwords")
def _checks(outline: Outline) -> bool:
    if any(part in _CHECKING for name in outline.module.imports.values() for part in name.split(".")):
        return True
    if any(_is_about_rules(each) for each in outline.module.functions):
        return True
    if any(_measures(outline, site.node) for site in outline.of(Call)):
        return True
    return any(_is_bounded(site.node) for site in outline.of(Assign))


def _is_about_rules(function: Function) -> bool:
    """`def validate_password(…)` that hashes nothing, `@field_validator("password")`."""
    named = set(words(function.name))
    if named & PASSWORDS and named & _JUDGING and not words_in(*function.body) & {"hash", "hashed", "checkpw", "verify"}:
        return True
    calls = (each.value for each in function.decorators if isinstance(each.value, Call))
    given = (
        text for call in calls if set(words(called(call))) & _JUDGING for each in call.arguments if (text := text_of(each.value))
    )
    return any(mentions(frozenset(words(text)), PASSWORDS) for text in given)


def _is_bounded(node: Assign) -> bool:
    """`password: str = Field(min_length=8)`, `password = PasswordField(…, [Length(8)])`, `{"password": {"minLength": 8}}`."""
    parts = [each for each in (node.value, node.annotation) if each is not None]
    return bool({*names_in(*parts)} & _BOUNDS) and mentions(words_in(*node.targets, *parts), PASSWORDS)


def _measures(outline: Outline, call: Call) -> bool:
    """`CharField(min_length=8)`, `any(each.isdigit() for each in password)`, `len(password)`, `re.match(PATTERN, password)`,
    `self.check_strength(password)`."""
    if keyword(call, "min_length") is not None or keyword(call, "validators") is not None:
        bounding = keyword(call, "min_length") is not None or {*names_in(*call.arguments)} - _PRESENCE
        return bool(bounding) and (mentions(words_in(call), PASSWORDS) or "PasswordInput" in names_in(call))
    name = called(call)
    each_letter = (every for part in walk(*call.arguments) if isinstance(part, Comprehension) for every in part.generators)
    if any(mentions(words_in(every.iterable), PASSWORDS) for every in each_letter):
        return True
    looked_at = name in _LOOKING or set(words(name)) & _JUDGING
    looked_at = looked_at or outline.dotted(call.callee).startswith("re.")
    return bool(looked_at) and mentions(words_in(*call.arguments), PASSWORDS)
