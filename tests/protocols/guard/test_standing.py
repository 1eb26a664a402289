"""Who proved, who disputes, what a word needs to count: each case with its harmless twin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.protocols.guard.reasons import REPEATS
from counterproof.protocols.guard.standing import FULL, Backing, Side, Standing, Word, counted, counts, lacking, standing

ONE, OTHER = "alpha:one", "beta:two"
AGAINST = Word("CORR", Side.AGAINST, FULL, ONE)
REFUTING = Word("CORR", Side.AGAINST, Backing(confirmed="the value is quoted before the sink"), ONE)


@pytest.mark.rule("R37")
@pytest.mark.parametrize("side", [Side.FOR, Side.AGAINST])
@pytest.mark.parametrize(
    ("backing", "why"),
    [
        (Backing(quoted=True, holds=True), "the agent did not open the finding and its code"),
        (Backing(opened=True, holds=True), "its quote is not in that code"),
        (Backing(opened=True, quoted=True), "its reason does not match the line"),
        (Backing(opened=True, quoted=True, holds=True, weak=REPEATS), "its reason only repeats the finding"),
        (FULL, ""),
    ],
)
def test_a_models_position_needs_the_same_backing_for_and_against(side: Side, backing: Backing, why: str) -> None:
    assert lacking(Word("CORR", side, backing, ONE)) == why


def test_an_analysts_position_rests_on_its_own_reading() -> None:
    assert counts(Word("CORR", Side.FOR))
    assert not counts(Word("CORR", Side.SILENT))


@pytest.mark.rule("R36")
def test_an_analysts_proof_is_disputed_by_any_number_and_refuted_by_a_confirmed_defence() -> None:
    crowd = [Word(f"S{number}", Side.AGAINST, FULL, ONE) for number in range(9)]
    assert standing(True, crowd) is Standing.DISPUTED
    assert standing(True, []) is Standing.STANDS
    assert standing(True, [REFUTING]) is Standing.REFUTED


def test_a_models_claim_is_open_to_the_votes_until_an_analyst_agrees() -> None:
    assert standing(False, [AGAINST]) is Standing.OPEN
    assert standing(False, [AGAINST, Word("PERF", Side.FOR)]) is Standing.DISPUTED


@pytest.mark.rule("R41")
@pytest.mark.parametrize(
    ("beside", "believed"),
    [
        ((), False),
        ((Word("PERF", Side.AGAINST, FULL, "alpha:three"),), False),
        ((Word("PERF", Side.AGAINST, FULL, OTHER),), True),
        ((Word("PERF", Side.AGAINST),), True),
        ((Word("PERF", Side.FOR, FULL, OTHER),), False),
    ],
)
def test_where_the_text_gives_orders_a_model_is_not_believed_alone(beside: tuple[Word, ...], believed: bool) -> None:
    assert (AGAINST in counted((AGAINST, *beside), swayed=True)) is believed
    assert AGAINST in counted((AGAINST, *beside))


words = st.builds(
    Word,
    st.sampled_from(("SEC", "CORR", "PERF")),
    st.sampled_from(Side),
    st.builds(Backing, st.booleans(), st.booleans(), st.booleans()),
    st.sampled_from(("", ONE, OTHER)),
)


@pytest.mark.rule("R36")
@given(st.lists(words, max_size=8), st.booleans())
def test_without_a_confirmed_defence_nothing_proved_falls(said: list[Word], swayed: bool) -> None:
    assert standing(True, said, swayed) in (Standing.STANDS, Standing.DISPUTED)
