"""Chat bots: handlers of Telegram (Pyrogram, Telethon, aiogram, telebot, python-telegram-bot) and Discord messages.

Invariant: a handler is recognised only in a file that imports such a library; a handler that accepts only some senders, by a
filter, a decorator or a test, has a guard. Not handled here: which parts of a message its sender controls.
"""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, entry, handler_of
from counterproof.analysis.endpoints.routed import handled
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.syntax.ir import Attribute, Call, Compare, Function, If, Name, Raise, Return
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind, EntryPoint, GuardKind

FRAMEWORK = "Chat bot"
_DISCORD = names("entry", "chat-command")
_PACKAGES = (*names("entry", "chat"), *_DISCORD)
_HEARD = vocabulary(
    "on_message on_edited_message on_callback_query message_handler callback_query_handler inline_handler channel_post_handler "
    "message callback_query edited_message inline_query on"
)
"""Decorators of the Telegram libraries."""
_COMMANDS = vocabulary("command slash_command hybrid_command")
_EVENTS = vocabulary("on_message on_message_edit on_raw_message_edit")
_HANDLERS = vocabulary("CommandHandler MessageHandler CallbackQueryHandler InlineQueryHandler register_message_handler")
_RESTRICTED = vocabulary(
    "admin admins administrator owner owners sudo sudoers authorized authorised restricted permissions role roles staff "
    "whitelist allowed superuser"
)
MAX_GROUPS = 4
_WRITERS = vocabulary("author user chat sender member")


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    for outline in codebase.outlines():
        roots = {name.partition(".")[0] for name in outline.module.imports.values()}
        if not roots & set(_PACKAGES):
            continue
        for function in outline.module.functions:
            method = _method(outline, function, discord=bool(roots & set(_DISCORD)))
            if method:
                handler = handled(outline, function)
                yield entry(EntryKind.QUEUE, method, function.name, handler, FRAMEWORK, _guard(outline, function))
        for site in outline.of(Call):
            yield from _registered(codebase, outline, site)


def _method(outline: Outline, function: Function, *, discord: bool) -> str:
    """`message` or `command`, from a decorator; '' without one."""
    for decorator in function.decorators:
        callee = decorator.value.callee if isinstance(decorator.value, Call) else decorator.value
        name = callee.name if isinstance(callee, Attribute) else outline.dotted(callee).rpartition(".")[2]
        if discord and name in _COMMANDS:
            return "command"
        if discord and name in ("event", "listen", "listener") and function.name in _EVENTS:
            return "message"
        if not discord and name in _HEARD and isinstance(decorator.value, Call) and isinstance(callee, Attribute):
            return "message"
    return ""


def _registered(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
    """`application.add_handler(CommandHandler("get", fetch))`."""
    callee = site.node.callee
    name = callee.name if isinstance(callee, Attribute) else outline.dotted(callee).rpartition(".")[2]
    if name not in _HANDLERS:
        return
    for each in site.node.arguments:
        found = codebase.meaning(outline, each.value, site.function) if text_of(each.value) is None else None
        if found is not None and isinstance(found.node, Function):
            restricted = words_in(site.node) & _RESTRICTED
            guard = present(outline.path, site.line, "", "only for some") if restricted else _guard(found.outline, found.node)
            yield entry(EntryKind.QUEUE, "message", found.node.name, handler_of(found, outline, each.value), FRAMEWORK, guard)
            return


def _guard(outline: Outline, function: Function) -> Verdict:
    """A filter or decorator that accepts only some senders, or a test of the sender that ends the handler."""
    for decorator in (each for above in _with_groups(outline, function) for each in above.decorators):
        spoken = words_in(decorator)
        if spoken & _RESTRICTED or {"filters", "user"} <= spoken:
            return present(outline.path, decorator.line, "", "only for some")
    for statement in function.body:
        for branch in statement.branches if isinstance(statement, If) else ():
            spoken = words_in(branch.test)
            compared = isinstance(branch.test, Compare) and "id" in spoken and spoken & _WRITERS
            about = spoken & _RESTRICTED or compared
            if about and any(isinstance(node, Return | Raise) for node in walk(*branch.body)):
                return present(outline.path, branch.test.line, "", "check in the handler", GuardKind.CHECK)
    return OPEN


def _with_groups(outline: Outline, function: Function) -> Iterator[Function]:
    """A command, its group (`@settings.command()` of `async def settings`), and the parent group of that group."""
    beside = {each.name: each for each in outline.module.functions if each.owner == function.owner}
    current: Function | None = function
    for _ in range(MAX_GROUPS):
        if current is None:
            return
        yield current
        callees = [each.value.callee if isinstance(each.value, Call) else each.value for each in current.decorators]
        groups = [each.value.id for each in callees if isinstance(each, Attribute) and isinstance(each.value, Name)]
        current = next((beside[name] for name in groups if name in beside and name != current.name), None)


CONVENTION = Convention(FRAMEWORK, _PACKAGES, _PACKAGES, _find)
