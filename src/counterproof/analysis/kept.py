"""Answers that an object keeps: a method worked out once for each argument, as long as the object lives.

Invariant: arguments are told apart as the keys of a mapping are, and are kept with the answers, so that none of them is taken
for a later one. What must not outlive its use, such as the text of a file, is no argument for this.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Owner = TypeVar("Owner")
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def kept(method: Callable[Concatenate[Owner, Given], Answer]) -> Callable[Concatenate[Owner, Given], Answer]:
    """The method, asked once for each argument."""
    name = f"{method.__name__}, answered"

    @wraps(method)
    def asked(self: Any, *given: Given.args, **named: Given.kwargs) -> Answer:
        answers: dict[Any, Answer] = self.__dict__.setdefault(name, {})
        key = (given, *named.items()) if named else given
        if key not in answers:
            answers[key] = method(self, *given, **named)
        return answers[key]

    return asked
