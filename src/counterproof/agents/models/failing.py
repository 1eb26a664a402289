"""How an agent that a model drives fails. What goes wrong on the way to the model stands in `faults`."""

from counterproof.model.errors import CounterproofError


class ModelFailed(CounterproofError):
    """The model gave nothing that counts. `unidentified`: what arrived did not even tell whose output it was (A25)."""

    def __init__(self, message: str, unidentified: bool = False) -> None:
        super().__init__(message)
        self.unidentified = unidentified


class TimeIsOver(ModelFailed):
    """The models' share of the time is used up."""

    def __init__(self) -> None:
        super().__init__("the time for models was over; the rest belongs to the analysts")
