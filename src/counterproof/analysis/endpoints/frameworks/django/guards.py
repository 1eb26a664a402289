"""Guards of Django views: decorators, mixins, permission classes, checks in the body, and middleware for all of them."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from counterproof.analysis.endpoints.decorators import decorator_verdict, wrapper_verdict
from counterproof.analysis.endpoints.denial import checks_in, hook_verdict
from counterproof.analysis.endpoints.routed import own_guards
from counterproof.analysis.endpoints.understanding import NOT_UNDERSTOOD, Asked, asked_by, asked_in_test, written
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.settings import Listed, django_settings, entry_of, listed, setting
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.syntax.ir import (
    Attribute,
    Binary,
    Call,
    Class,
    Const,
    Expr,
    Function,
    Lambda,
    Name,
    Return,
    Sequence,
    Unary,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at
from counterproof.model.recon import KNOWS_CALLER, Asks, GuardKind, WrittenGuard

_MIXINS = ("LoginRequiredMixin", "PermissionRequiredMixin", "UserPassesTestMixin", "AccessMixin", "StaffuserRequiredMixin")
_CLOSED = (
    "IsAuthenticated",
    "IsAdminUser",
    "DjangoModelPermissions",
    "DjangoObjectPermissions",
    "TokenHasScope",
    "TokenHasReadWriteScope",
)
_ASKS = {
    "IsAuthenticated": Asked(Asks.IDENTITY), "IsAdminUser": Asked(Asks.ROLE, "staff"), "TokenHasScope": Asked(Asks.ROLE, "scope"),
    "TokenHasReadWriteScope": Asked(Asks.ROLE, "scope"), "DjangoModelPermissions": Asked(Asks.ROLE, "model permission"),
    "DjangoObjectPermissions": Asked(Asks.ROLE, "object permission"), "LoginRequiredMixin": Asked(Asks.IDENTITY),
    "StaffuserRequiredMixin": Asked(Asks.ROLE, "staff"), "IsAuthenticatedOrReadOnly": Asked(Asks.IDENTITY, partly=True),
}  # fmt: skip
_NEUTRAL_MIDDLEWARE = names("guard", "middleware")
"""Middleware that only identifies the caller, or does something unrelated, and rejects no anonymous caller."""
_ASKED = ("has_permission", "has_object_permission")
_CALLER = vocabulary(
    "user auth authenticated token session key apikey headers meta owner role staff admin secret signature permission super"
)
_KNOWN = vocabulary("authenticated staff superuser")
_HOOKS = ("__call__", "process_request", "process_view")


class Guards:
    """Reads guards; `everywhere` is the middleware's verdict for every view."""

    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase

    @cached_property
    def _settings(self) -> tuple[Outline, ...]:
        return django_settings(self.codebase)

    @cached_property
    def everywhere(self) -> tuple[Verdict, ...]:
        return tuple(
            self._middleware(each)
            for outline in self._settings
            for name in ("MIDDLEWARE", "MIDDLEWARE_CLASSES")
            for each in listed(outline, name)
        )

    def _middleware(self, each: Listed) -> Verdict:
        if each.text == "django.contrib.auth.middleware.LoginRequiredMiddleware":
            return present(each.outline.path, each.line, each.text)
        found = self.codebase.define(each.text, each.outline.path)
        if found and isinstance(found.node, Class):
            hooks = [method for name in _HOOKS if (method := self.codebase.method(found, name))]
            return strongest(hook_verdict(self.codebase, outline, function) for outline, function in hooks)
        if found and isinstance(found.node, Function):
            inner = [each for each in found.outline.module.functions if each.within == found.node.qualified]
            return strongest(hook_verdict(self.codebase, found.outline, function) for function in inner)
        if each.text.startswith(_NEUTRAL_MIDDLEWARE):
            return OPEN
        return unknown(each.outline.path, each.line, f"middleware {each.text} could not be read")

    def wrapper(self, outline: Outline, value: Expr, line: int) -> Verdict:
        return wrapper_verdict(self.codebase, outline, value, line)

    def of_function(self, outline: Outline, function: Function, wrapped: Verdict) -> Verdict:
        listed_classes = self._permission_decorator(outline, function)
        own = own_guards(self.codebase, outline, function)
        default = self._default(outline, function) if listed_classes is None else listed_classes
        return strongest((wrapped, default, own, *self.everywhere))

    def _default(self, outline: Outline, function: Function) -> Verdict:
        """The project's default for a REST framework function view without its own permission classes."""
        names = [
            outline.dotted(each.value.callee if isinstance(each.value, Call) else each.value) for each in function.decorators
        ]
        return self.default_permissions if any(name.endswith("api_view") for name in names) else OPEN

    def _permission_decorator(self, outline: Outline, function: Function) -> Verdict | None:
        for decorator in function.decorators:
            value = decorator.value
            if isinstance(value, Call) and outline.dotted(value.callee).endswith("permission_classes") and value.arguments:
                return self._classes(outline, value.arguments[0].value)
        return None

    def of_method(self, found: Definition, outline: Outline, function: Function, wrapped: Verdict) -> Verdict:
        return strongest((self.of_class(found, wrapped), own_guards(self.codebase, outline, function)))

    def of_class(self, found: Definition, wrapped: Verdict) -> Verdict:
        return strongest((wrapped, *self._class_verdicts(found), *self.everywhere))

    def _class_verdicts(self, found: Definition) -> Iterator[Verdict]:
        ancestry = self.codebase.ancestry(found)
        for each in ancestry.own:
            if isinstance(each.node, Class):
                yield decorator_verdict(self.codebase, each.outline, each.node)
        for name in ancestry.foreign:
            if name.endswith(_MIXINS):
                last = name.rpartition(".")[2]
                yield _understood(present(found.path, found.node.line, last), self._mixed_in(found, last))
        for hook in ("dispatch", "initial", "test_func", "connect"):
            method = self.codebase.method(found, hook)
            if method and hook != "test_func":
                yield checks_in(self.codebase, *method)
        yield self._permissions(found, ancestry.foreign)

    def _mixed_in(self, found: Definition, mixin: str) -> Asked:
        """The right that a framework mixin requires, with the values that the class sets for it."""
        if mixin == "UserPassesTestMixin" and (test := self.codebase.method(found, "test_func")):
            return asked_by(self.codebase, *test, predicate=True)
        attributes = found.outline.attributes(found.node) if isinstance(found.node, Class) else {}
        if mixin == "UserPassesTestMixin" and isinstance(test := attributes.get("test_func"), Lambda):
            return asked_in_test(self.codebase, found.outline, None, test.body)
        right = attributes.get("permission_required")
        if mixin == "PermissionRequiredMixin" and right is not None:
            return Asked(Asks.ROLE, written(right))
        return _ASKS.get(mixin, NOT_UNDERSTOOD)

    def _permissions(self, found: Definition, foreign: tuple[str, ...]) -> Verdict:
        for each in self.codebase.ancestry(found).own:
            if isinstance(each.node, Class):
                own = each.outline.methods(each.node).get("get_permissions")
                if own is not None:
                    return unknown(each.path, own.line, "get_permissions decides per action")
                value = each.outline.attributes(each.node).get("permission_classes")
                if value is not None:
                    return self._classes(each.outline, value)
        rest = any(name.startswith("rest_framework") for name in foreign)
        return self.default_permissions if rest else OPEN

    @cached_property
    def default_permissions(self) -> Verdict:
        """`DEFAULT_PERMISSION_CLASSES`; without it REST framework allows everyone."""
        for outline in self._settings:
            value = entry_of(setting(outline, "REST_FRAMEWORK"), "DEFAULT_PERMISSION_CLASSES")
            if value is not None:
                return self._classes(outline, value)
        return OPEN

    def _classes(self, outline: Outline, value: Expr) -> Verdict:
        """Permission classes must all agree, so one that rejects callers is enough."""
        parts = value.items if isinstance(value, Sequence) else (value,)
        if not parts:
            return replace(OPEN, written=(WrittenGuard(at(outline.path, value.line), "", Asks.NOTHING),))
        return strongest(self._class(outline, part) for part in parts)

    def _class(self, outline: Outline, part: Expr) -> Verdict:
        """A class or an instance of one; of `A & B` both, while `A | B` and `~A` are not understood."""
        if isinstance(part, Binary) and part.operator == "&":
            return strongest(self._class(outline, each) for each in part.operands)
        if isinstance(part, Binary | Unary):
            return unknown(outline.path, part.line, "a combination of permissions")
        part = part.callee if isinstance(part, Call) else part
        names = {node.value for node in walk(part) if isinstance(node, Const) and isinstance(node.value, str)}
        names |= {outline.dotted(node) for node in walk(part) if isinstance(node, Name | Attribute)}
        last = {name.rpartition(".")[2] for name in names}
        if last & {"AllowAny", "IsAuthenticatedOrReadOnly"}:
            reading = unknown(outline.path, part.line, "read access is open")
            return OPEN if "AllowAny" in last else _understood(reading, _ASKS["IsAuthenticatedOrReadOnly"])
        if last & set(_CLOSED):
            return _permitted(outline, part, ", ".join(sorted(last & set(_CLOSED))))
        found = self.codebase.meaning(outline, part) or self.codebase.define(text_of(part) or "-", outline.path)
        if (
            found
            and isinstance(found.node, Class)
            and any(name.endswith(_CLOSED) for name in self.codebase.ancestry(found).foreign)
        ):
            return _permitted(outline, part, found.node.name)
        return self._own_class(outline, part, found) or unknown(
            outline.path, part.line, f"permission {', '.join(sorted(last))} is the project's own"
        )

    def _own_class(self, outline: Outline, part: Expr, found: Definition | None) -> Verdict | None:
        """The verdict of a project's permission class: open if it never checks the caller, closed if it always does."""
        if found is None or not isinstance(found.node, Class):
            return None
        methods = [method for name in _ASKED if (method := self.codebase.method(found, name))]
        if not methods or methods[0][1].name != _ASKED[0]:
            return None
        if not any(words_in(*function.body) & _CALLER for _, function in methods):
            return OPEN
        first = methods[0][1]
        answers = [node.value for node in walk(*first.body) if isinstance(node, Return)]
        asked, *of_item = (asked_by(self.codebase, *each, predicate=True) for each in methods)
        if of_item and asked.asks is Asks.NOTHING:  # it decides per object
            asked = replace(of_item[0], partly=True) if of_item[0].asks in KNOWS_CALLER else NOT_UNDERSTOOD
        if answers and all(each is not None and words_in(each) & _KNOWN for each in answers):
            return _understood(_permitted(outline, part, found.node.name), asked)
        name = found.node.name
        return _understood(unknown(outline.path, part.line, f"permission {name} is the project's own", name), asked)


def _permitted(outline: Outline, part: Expr, name: str) -> Verdict:
    asked = _ASKS.get(name, NOT_UNDERSTOOD)
    return _understood(present(outline.path, part.line, name, f"permission {name}", GuardKind.PERMISSION), asked)


def _understood(verdict: Verdict, asked: Asked) -> Verdict:
    return replace(
        verdict, written=tuple(replace(each, asks=asked.asks, right=asked.right, partly=asked.partly) for each in verdict.written)
    )
