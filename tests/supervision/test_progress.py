"""X16: the file that is blamed is one that somebody looks at, whichever thread ends first."""

import asyncio
import threading
import time

import pytest

from counterproof.supervision import progress
from counterproof.supervision.progress import Page
from counterproof.toolbox.threads import in_daemon_thread

pytestmark = pytest.mark.rule("X16")


class _Slow(Page):
    """A page that reports with a delay that no file is being processed."""

    def at(self, path: str, surveying: bool) -> None:
        if not path:
            time.sleep(0.05)
        super().at(path, surveying)


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    page = _Slow()
    monkeypatch.setattr(progress, "_page", page)
    return page


def test_a_file_started_after_a_result_is_not_cleared(page: Page) -> None:
    async def one_after_the_other() -> str:
        await in_daemon_thread(lambda: progress.at("first.py"))
        progress.at("second.py")
        await asyncio.sleep(0.1)
        return page.path

    assert asyncio.run(one_after_the_other()) == "second.py"


def test_a_failure_is_delivered_after_its_file_is_cleared(page: Page) -> None:
    def fails() -> None:
        progress.at("first.py")
        raise ValueError("no file to blame")

    async def one_after_the_other() -> str:
        with pytest.raises(ValueError, match="no file"):
            await in_daemon_thread(fails)
        return page.path

    assert asyncio.run(one_after_the_other()) == ""


def test_a_thread_that_ends_leaves_the_blame_with_the_one_that_works_on(page: Page) -> None:
    begun, done = threading.Event(), threading.Event()

    def long() -> None:
        progress.at("long.py")
        begun.set()
        done.wait(10)

    async def together() -> tuple[str, str]:
        longer = asyncio.ensure_future(in_daemon_thread(long))
        await asyncio.to_thread(begun.wait, 10)
        await in_daemon_thread(lambda: progress.at("short.py"))
        between = page.path
        done.set()
        await longer
        return between, page.path

    assert asyncio.run(together()) == ("long.py", "")
