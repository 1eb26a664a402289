"""What is known of packages by their names: how they are imported, what comes with what, what a language brings along.

Always: names only, as their makers published them. Nothing here reads a plan or a tree.
"""

import re

DECLARED_AS: dict[str, str] = dict(
    re.findall(
        r"(\w+)=([\w-]+)",
        "yaml=pyyaml pil=pillow cv2=opencv sklearn=scikit-learn bs4=beautifulsoup4 dotenv=python-dotenv jwt=pyjwt attr=attrs"
        " dateutil=python-dateutil git=gitpython docx=python-docx pptx=python-pptx fitz=pymupdf serial=pyserial zmq=pyzmq"
        " crypto=pycryptodome jose=python-jose skimage=scikit-image telegram=python-telegram-bot win32com=pywin32"
        " win32api=pywin32"
        " magic=python-magic usb=pyusb",
    )
)
"""Packages that are imported by a name of which their own says nothing."""
BROUGHT = {
    "pydantic": "fastapi",
    "starlette": "fastapi",
    "werkzeug": "flask",
    "jinja2": "flask",
    "click": "flask typer uvicorn",
    "rich": "typer",
    "numpy": "pandas scipy torch scikit-learn matplotlib opencv-python",
    "httpx": "openai anthropic mcp",
    "anyio": "httpx starlette fastapi",
    "urllib3": "requests botocore boto3",
    "react": "next",
    "react-dom": "next",
}
"""Packages that come with others."""
TOOLS = frozenset(
    [
        "pytest",
        "vitest",
        "jest",
        "mocha",
        "chai",
        "setuptools",
        "pkg_resources",
        "typing_extensions",
        "conftest",
        "bun",
        "bun:test",
        "deno",
        "vscode",
        "electron",
    ]
)
NODE = frozenset(
    [
        "assert",
        "async_hooks",
        "buffer",
        "child_process",
        "cluster",
        "console",
        "crypto",
        "dns",
        "events",
        "fs",
        "http",
        "http2",
        "https",
        "module",
        "net",
        "os",
        "path",
        "perf_hooks",
        "process",
        "punycode",
        "querystring",
        "readline",
        "stream",
        "string_decoder",
        "timers",
        "tls",
        "tty",
        "url",
        "util",
        "v8",
        "vm",
        "worker_threads",
        "zlib",
    ]
)
