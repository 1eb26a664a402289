"""Jobs from a queue or a schedule: Celery, RQ, Dramatiq, Huey, pika, Kafka, APScheduler, schedule."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, Handler, entry, handler_of
from counterproof.analysis.endpoints.routed import handled
from counterproof.analysis.endpoints.verdict import CLOCK, QUEUED
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.file import File
from counterproof.analysis.program.mentioned import decorator_names
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import argument, keyword, positional, text_of
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Expr, Function, Loop, Mapping
from counterproof.model.recon import EntryKind, EntryPoint

_IMPORTS = (*names("entry", "queue"), *names("entry", "clock"))
_TASKS = ("task", "shared_task", "actor", "job", "agent")
_CLOCKS = ("periodic_task", "scheduled_job", "cron", "db_periodic_task")
_SCHEDULES = ("beat_schedule", "celerybeat_schedule", "celery_beat_schedule")
_CONSUMERS = ("KafkaConsumer", "AIOKafkaConsumer", "Consumer")


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    for outline in having(codebase, _may_queue):
        roots = {name.partition(".")[0] for name in outline.module.imports.values()}
        for function in outline.module.functions:
            yield from _decorated(codebase, outline, function, bool(roots & set(_IMPORTS)))
        yield from _schedules(codebase, outline)
        if roots & set(_IMPORTS):
            for site in outline.of(Call):
                yield from _called(codebase, outline, site)
            yield from _consumers(codebase, outline)


@trait("queues and clocks")
def _may_queue(outline: File) -> bool:
    if any(name.partition(".")[0] in _IMPORTS for name in outline.module.imports.values()):
        return True
    if not {*_TASKS, *_CLOCKS}.isdisjoint(decorator_names.tell(outline)):
        return True
    targets = (target for site in outline.of(Assign) for target in site.node.targets)
    return any(outline.dotted(each).rpartition(".")[2].lower() in _SCHEDULES for each in targets)


def _decorated(codebase: Codebase, outline: Outline, function: Function, imports: bool) -> Iterator[EntryPoint]:
    for decorator in function.decorators:
        value = decorator.value
        callee = value.callee if isinstance(value, Call) else value
        dotted = outline.dotted(callee)
        name = dotted.rpartition(".")[2]
        if name not in (*_TASKS, *_CLOCKS) or not (imports or _is_task_object(codebase, outline, callee)):
            continue
        topic = text_of(keyword(value, "name")) if isinstance(value, Call) else None
        topic = topic or f"{outline.module.name}.{function.qualified}"
        handler = handled(outline, function)
        if name in _CLOCKS:
            yield entry(EntryKind.SCHEDULED, name, topic, handler, "", CLOCK)
        else:
            yield entry(EntryKind.QUEUE, name, topic, handler, "", QUEUED)


def _is_task_object(codebase: Codebase, outline: Outline, callee: Expr) -> bool:
    """`@celery.task` where `celery` comes from another module of the project."""
    if not isinstance(callee, Attribute):
        return False
    built = codebase.constructor(outline, callee.value)
    return built.partition(".")[0] in _IMPORTS


def _called(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
    callee = site.node.callee
    if not isinstance(callee, Attribute):
        return
    handler: Expr | None = None
    kind, verdict, topic = EntryKind.QUEUE, QUEUED, ""
    if callee.name == "basic_consume":
        handler = (
            keyword(site.node, "on_message_callback") or keyword(site.node, "consumer_callback") or _function_among(site.node)
        )
        topic = text_of(keyword(site.node, "queue")) or text_of(positional(site.node, 0)) or ""
    elif callee.name in ("add_job", "add_periodic_task"):
        handler = argument(site.node, 0 if callee.name == "add_job" else 1, "func")
        kind, verdict, topic = EntryKind.SCHEDULED, CLOCK, text_of(positional(site.node, 1)) or ""
    elif callee.name == "do" and "every" in _chain(callee):
        handler, kind, verdict = positional(site.node, 0), EntryKind.SCHEDULED, CLOCK
    elif callee.name in ("enqueue", "enqueue_in", "enqueue_at"):
        handler = positional(site.node, {"enqueue": 0}.get(callee.name, 1))
    if handler is None:
        return
    found = codebase.meaning(outline, handler, site.function)
    if found and isinstance(found.node, Function):
        name = topic or f"{found.outline.module.name}.{found.node.qualified}"
        yield entry(kind, callee.name, name, handler_of(found, outline, handler), "", verdict)


def _function_among(call: Call) -> Expr | None:
    return positional(call, 1) or positional(call, 0)


def _chain(expr: Expr) -> tuple[str, ...]:
    """The names along a chain such as `schedule.every().day.do`."""
    found: list[str] = []
    while isinstance(expr, Attribute | Call):
        if isinstance(expr, Attribute):
            found.append(expr.name)
            expr = expr.value
        else:
            expr = expr.callee
    return tuple(found)


def _schedules(codebase: Codebase, outline: Outline) -> Iterator[EntryPoint]:
    """`beat_schedule = {"nightly": {"task": "app.tasks.clean", …}}`: the task is found by its dotted name."""
    for site in outline.of(Assign):
        if not isinstance(site.node.value, Mapping):
            continue
        names = [outline.dotted(target).rpartition(".")[2].lower() for target in site.node.targets]
        if any(name in _SCHEDULES for name in names):
            for key, value in site.node.value.entries:
                task = (
                    next((text_of(inner) for name, inner in value.entries if text_of(name) == "task"), None)
                    if isinstance(value, Mapping)
                    else None
                )
                found = codebase.define(task, outline.path) if task else None
                if task and found and isinstance(found.node, Function):
                    yield entry(
                        EntryKind.SCHEDULED, "beat", text_of(key) or task, handler_of(found, outline, value), "Celery", CLOCK
                    )


def _consumers(codebase: Codebase, outline: Outline) -> Iterator[EntryPoint]:
    for loop in outline.of(Loop):
        if loop.node.iterable is not None and loop.function:
            built = codebase.constructor(outline, loop.node.iterable, loop.function).rpartition(".")[2]
            if built in _CONSUMERS:
                handler = Handler(outline, loop.function, loop.function.qualified)
                yield entry(EntryKind.QUEUE, "consume", loop.function.name, handler, "Kafka", QUEUED)


CONVENTION = Convention("Celery", ("celery",), ("celery",), _find)
