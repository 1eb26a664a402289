"""A real browser and a server on this machine, for tests of the HTML report.

Where Chromium or its driver is missing the tests are skipped, visibly; under `CI=true` that is a failure, because CI installs
them.
"""

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    "--window-size=1280,900",
)


def _needed(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), "")
    if not found and os.environ.get("CI") == "true":
        pytest.fail(f"{names[0]} is missing, and CI must run the browser tests")
    if not found:
        pytest.skip(f"{names[0]} is not installed: the HTML report was not opened in a browser")
    return found


@contextmanager
def chromium(profile: Path) -> Iterator[webdriver.Chrome]:
    """A browser with a profile of its own that logs its console and its requests."""
    options = Options()
    options.binary_location = _needed("chromium", "chromium-browser", "google-chrome")
    driver = _needed("chromedriver")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")
    browser = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield browser
    finally:
        browser.quit()


@dataclass
class Site:
    """Serves one page at a time and remembers every request."""

    origin: str = ""
    page: bytes = b""
    requests: list[str] = field(default_factory=list[str])


@contextmanager
def site() -> Iterator[Site]:
    served = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.requests.append(self.path)
            known = self.path == "/report.html"
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(served.page if known else b"")

        do_POST = do_GET  # noqa: N815 (the server's own name)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the server's own name)
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.origin = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
