"""Passwords that users choose, where Django stores them: by functions that run no validators of their own accord.

Always holds: only projects with Django settings; literals, random passwords and code that no request reaches do not count.
Does not belong here: how passwords are hashed.
"""

from collections.abc import Iterator

from counterproof.analysis.config.passwords import PASSWORDS
from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.settings import has_django_settings
from counterproof.analysis.outline.traits import anywhere, trait
from counterproof.analysis.outline.traversal import argument, calls_in, keyword
from counterproof.analysis.outline.words import names_in, vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Compare, Const, Expr, Function, Name

_STORING = {"create_user": 2, "set_password": 0}
"""Methods of users and their managers, and where they take the password."""
_CHOSEN = vocabulary("request form cleaned data validated post json body serializer payload")
_RANDOM = vocabulary("random generate generated token secret uuid default temporary initial make unusable")
_CHECKING = ("validate_password", "password_validation", "MinimumLengthValidator", "validate_password_strength")
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
        if site.function.name in _STORING or _by_framework(codebase, outline, site.function):
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
    return bool(spoken & _CHOSEN) and not spoken & _RANDOM


def _by_framework(codebase: Codebase, outline: Outline, function: Function) -> bool:
    """Forms of Django that run the validators, and forms made from them: `UserCreationForm(request.POST)`."""
    spoken = {*names_in(*function.body)}
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
    if any(_measures(outline, site.node) for site in outline.of(Call)):
        return True
    return any(
        isinstance(part, Call) and isinstance(part.callee, Name) and part.callee.id == "len" and words_in(part) & PASSWORDS
        for site in outline.of(Compare)
        for part in site.node.operands
    )


def _measures(outline: Outline, call: Call) -> bool:
    """`password = forms.CharField(min_length=8)`, `re.match(PATTERN, password)`, `self.check_strength(password)`."""
    if keyword(call, "min_length") is not None or keyword(call, "validators") is not None:
        return bool(words_in(call) & PASSWORDS) or "PasswordInput" in names_in(call)
    name = call.callee.name if isinstance(call.callee, Attribute) else outline.dotted(call.callee).rpartition(".")[2]
    spoken = set(words(name))
    looked_at = outline.dotted(call.callee).startswith("re.") or spoken & {"strength", "policy", "strong", "weak", "complexity"}
    return bool(looked_at) and bool(words_in(*call.arguments) & PASSWORDS)
