"""The page of model providers, from the rows that the program uses. What was tried is named with the test that tries it."""

import sys
from pathlib import Path

from counterproof.agents.models.providers import LIMITS_OF, PROVIDERS, Provider
from counterproof.agents.models.schemas import SchemaLimits
from counterproof.agents.models.tuning import MIN_WINDOW, SMALL_WINDOW

ROOT = Path(__file__).resolve().parent.parent
_SDK = "tests/agents/models/test_schema_limits.py::test_request_of_a_contract_fits_the_types_of_a_providers_sdk"
_AIMOCK = "tests/agents/real_servers/test_real_servers.py::test_aimock_refuses_no_request_of_any_contract"
_LITELLM = "tests/agents/real_servers/test_real_servers.py::test_litellm_refuses_no_request_of_any_contract"
_LLAMA = "tests/agents/small_model/test_small_wire.py::test_native_schema_of_a_contract_is_taken_by_llama_cpp"
DAY = "2026-11-19"
TESTS = {"SDK types": _SDK, "aimock": _AIMOCK, "LiteLLM": _LITELLM, "llama.cpp": _LLAMA}
"""What a row can be tried against, and the test that sends every contract of every role to it."""
TRIED = {
    "anthropic": ("SDK types", "aimock", "LiteLLM"),
    "openai": ("SDK types", "aimock", "LiteLLM"),
    "openai-responses": ("SDK types", "aimock", "LiteLLM"),
    "google": ("SDK types", "aimock", "LiteLLM"),
    "bedrock": ("SDK types",),
    "mistral": ("SDK types", "aimock"),
    "groq": ("SDK types", "aimock"),
    "openrouter": ("SDK types", "aimock"),
    "ollama": ("SDK types", "aimock"),
    "openai-compatible": ("SDK types", "aimock", "LiteLLM", "llama.cpp"),
}
"""What each row was tried against on `DAY`. A row that is not here was not tried."""


def providers() -> str:
    """Every provider with its address, its keys, its limits and what it was tried against."""
    rows = [
        f"| `{each.name}` | {_address(each)} | {_keys(each)} | {_limits(each.schema)} | {_window(each)} | {_answer(each)} "
        f"| {each.caching} | {_tried(each)} |"
        for each in PROVIDERS
    ]
    return "\n".join(
        [
            "# Providers of models",
            "",
            f"Limits as of {LIMITS_OF}. No row was tried against the provider itself: `counterproof doctor --agents",
            "PROVIDER:MODEL` tries yours. *Tried against* names what took every contract of every role, with and without tools,",
            f"on {DAY}: the request types of the provider's library, and servers on loopback. aimock and LiteLLM answer with",
            "mocks: they route and parse a request, and say little about what the provider's models take.",
            "",
            "| provider | address | key | schema of the answer | window | answer | cache | tried against |",
            "|---|---|---|---|---|---|---|---|",
            *rows,
            "",
            "Bounds and optional fields beyond a row's limit stay in the contract as this program checks it. A request that is",
            "refused for its schema is asked once more without it; one that is refused for its length, with half of the window,",
            f"and the report says so. Windows begin at {MIN_WINDOW:,} tokens; below {SMALL_WINDOW:,} only reading and searching",
            "are offered. `openai-compatible:MODEL@URL` stands for vLLM, llama.cpp, LM Studio, LiteLLM, Azure and the like.",
            "",
        ]
    )


def _address(provider: Provider) -> str:
    moved = f", or `{provider.address}`" if provider.address else ""
    return f"`{provider.url}`{moved}" if provider.url else "`@URL` behind the model"


def _keys(provider: Provider) -> str:
    names = " or ".join(f"`{each}`" for each in provider.keys)
    return names if provider.key_required else f"{names}, if wanted"


def _limits(limits: SchemaLimits) -> str:
    if not limits.native:
        return "in the prompt only"
    said = [
        *([] if limits.beside_tools else ["with the hand-in only"]),
        *([] if limits.beside_listed else ["no tools listed beside it"]),
        *([f"{limits.optional} optional fields"] if limits.optional is not None else []),
        *([f"{limits.unions} union fields"] if limits.unions is not None else []),
        *([f"{limits.depth} levels"] if limits.depth is not None else []),
        *([f"bounds to {limits.bound:,}" if limits.bound else "no bounds"] if limits.bound is not None else []),
        *(["strict"] if limits.strict else []),
    ]
    return ", ".join(said) or "no limit known"


def _window(provider: Provider) -> str:
    return f"{provider.tuning.window:,}"


def _answer(provider: Provider) -> str:
    return f"{provider.tuning.output:,} to {provider.tuning.ceiling:,}"


def _tried(provider: Provider) -> str:
    for test in TESTS.values():
        file, _, name = test.partition("::")
        if f"def {name}(" not in (ROOT / file).read_text(encoding="utf-8"):
            sys.exit(f"{test} does not exist")
    return ", ".join(TRIED.get(provider.name, ())) or "not tried"
