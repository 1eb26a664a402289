"""What was seen that makes a domain worth looking into (A3): a database driver, an XML parser, an upload."""

from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.mentioned import imported
from counterproof.analysis.outline.traits import told
from counterproof.analysis.outline.words import vocabulary
from counterproof.model.recon import Dependency

_SIGNS: dict[str, frozenset[str]] = {
    "sql-injection": vocabulary(
        "sqlite3 sqlalchemy flask-sqlalchemy psycopg psycopg2 psycopg2-binary pymysql mysqlclient mysqldb asyncpg "
        "aiosqlite aiopg aiomysql peewee django tortoise-orm cx-oracle pyodbc databases sqlmodel"
    ),
    "nosql-injection": vocabulary("pymongo motor mongoengine montydb elasticsearch redis"),
    "ldap-injection": vocabulary("ldap ldap3 python-ldap"),
    "llm-security": vocabulary(
        "openai anthropic langchain langchain-core llama-index transformers litellm cohere mistralai "
        "google-generativeai ollama pydantic-ai"
    ),
    "xxe": vocabulary("lxml xml xmltodict python-docx docx openpyxl defusedxml"),
    "template-injection": vocabulary("jinja2 mako chameleon aiohttp-jinja2"),
    "jwt": vocabulary("jwt pyjwt jose python-jose authlib flask-jwt-extended djangorestframework-simplejwt"),
    "ssrf": vocabulary("requests httpx urllib3 aiohttp pycurl urllib.request http.client grequests"),
    "deserialisation": vocabulary("pickle dill yaml pyyaml jsonpickle shelve marshal joblib torch cloudpickle"),
    "crypto": vocabulary("hashlib hmac cryptography crypto cryptodome pycryptodome ssl secrets bcrypt passlib random"),
    "command-injection": vocabulary("subprocess paramiko fabric pexpect sh os.popen os.system"),
    "graphql": vocabulary("graphene strawberry-graphql strawberry ariadne"),
    "oauth": vocabulary("authlib oauthlib requests-oauthlib social-auth-app-django django-oauth-toolkit"),
    "websocket": vocabulary("websockets flask-socketio python-socketio channels"),
}


def triggers_of(codebase: Codebase, dependencies: tuple[Dependency, ...], content_types: tuple[str, ...]) -> tuple[str, ...]:
    """Sorted names of domains."""
    seen = {each.name.lower().replace("_", "-") for each in dependencies}
    for names in told(codebase, imported).values():
        for name in names:
            lowered = name.lower().replace("_", "-")
            seen |= {lowered, lowered.partition(".")[0], ".".join(lowered.split(".")[:2])}
    found = {trigger for trigger, signs in _SIGNS.items() if seen & signs}
    if "multipart" in content_types:
        found.add("file-upload")
    return tuple(sorted(found))
