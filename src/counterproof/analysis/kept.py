"""Cached methods: computed once per argument, for the lifetime of the object.

Invariant: arguments are compared like mapping keys, and are kept alive with the results, so that none is mistaken for a later
one. Do not pass large temporary values, such as the text of a file, as arguments.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Owner = TypeVar("Owner")
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def kept(method: Callable[Concatenate[Owner, Given], Answer]) -> Callable[Concatenate[Owner, Given], Answer]:
    """The method, called once per argument."""
    name = f"{method.__name__}, answered"

    @wraps(method)
    def asked(self: Any, *given: Given.args, **named: Given.kwargs) -> Answer:
        answers: dict[Any, Answer] = self.__dict__.setdefault(name, {})
        key = (given, *named.items()) if named else given
        if key not in answers:
            answers[key] = method(self, *given, **named)
        return answers[key]

    return asked
