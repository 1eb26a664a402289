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
    "httpx": "openai anthropic mcp python-telegram-bot",
    "anyio": "httpx starlette fastapi",
    "requests": "huggingface-hub",
    "urllib3": "requests botocore boto3",
    "packaging": "pytest",
    "networkx": "torch torchvision torchaudio sentence-transformers scikit-image osmnx pyvis torch-geometric",
    "aiohttp": "discord-py nextcord aiogram litellm datasets web3 ccxt aiobotocore gcsfs s3fs langchain langchain-community"
    " llama-index llama-index-core vllm instructor torch-geometric pytest-aiohttp homeassistant",
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
OFTEN_BROUGHT = frozenset(
    re.findall(
        r"[\w-]+",
        "aiofiles anyio attr attrs babel blinker boto3 botocore bs4 cachetools certifi cffi charset_normalizer click "
        "cloudpickle colorama coverage cryptography cv2 dateutil decorator defusedxml dill distro dnspython docutils "
        "dotenv email_validator exceptiongroup fastapi filelock fsspec google greenlet grpc h11 httpcore httptools "
        "httpx huggingface_hub idna importlib_metadata ipython itsdangerous jinja2 joblib jsonschema jwt langchain "
        "langchain_core langgraph lxml mako markdown markupsafe marshmallow matplotlib mpmath msgpack multidict "
        "multipart nltk numpy oauthlib openai opentelemetry orjson packaging pandas pathspec pil pip platformdirs "
        "pluggy prompt_toolkit psutil psycopg2 pyarrow pyasn1 pydantic pydantic_core pydantic_settings pygments "
        "pyparsing pytz pywintypes redis referencing regex requests requests_oauthlib rfc3339 rich rsa s3transfer "
        "safetensors scipy setuptools simplejson six skimage sklearn sniffio sortedcontainers soupsieve sqlalchemy "
        "starlette sympy tabulate tenacity termcolor tiktoken tokenizers toml tomli tomlkit torch tornado tqdm "
        "traitlets transformers typer ujson urllib3 uvicorn uvloop virtualenv watchdog watchfiles websocket websockets "
        "werkzeug wheel win32api win32com wrapt yaml yarl zstandard",
    )
)
"""Packages of Python that many others bring along, by the names they are imported by: only a lock file tells that one is not
there."""
