"""Packages that a plan names in plain words: "we will use Celery", "through psycopg2".

Always: only names that are known to be packages, or that are formed as only packages are, count; a word that is also an ordinary
one counts in the spelling of its project alone. A package that is only weighed, refused or left is not relied on. Servers that
one runs beside a program (databases, brokers) are no packages.
"""

import re

from counterproof.analysis.dependencies.requirement import normal_name

_SPELLED = (
    "Alembic Ansible Arq Authlib Axios BeautifulSoup Bokeh Boto3 Celery CherryPy Cython Dask Django Dramatiq Eventlet "
    "Express Falcon FastAPI Fastify Flask Gevent Gunicorn Haystack Huey Hypercorn Jest Jinja2 Keras Knex Locust Lodash "
    "Loguru Luigi Mako Marshmallow Matplotlib Mocha MongoEngine Mongoose Multer NestJS NetworkX NumPy OpenCV Pandas "
    "Peewee Pillow Playwright Plotly Polars Prefect Prisma Puppeteer Pydantic Pygments PyJWT PyMongo PyMySQL Pyramid "
    "PyTorch PyYAML Redux RQ Sanic Scrapy Selenium Sequelize Sinon SQLAlchemy SQLModel Starlette Streamlit Structlog "
    "SymPy Tenacity TensorFlow Tornado Tortoise-ORM Twisted TypeORM Typer Uvicorn Vite Vitest Waitress WeasyPrint "
    "Werkzeug Whitenoise Winston WTForms Zeep "
)
"""As their projects write them. Those whose name is an everyday word even so (Click, Dash) are left out."""
_WORDS = (
    "aiohttp aiosmtplib apscheduler axios bcrypt bleach body-parser boto3 botocore bullmq celery cryptography dateutil "
    "django dramatiq fastapi fastify flask gevent gunicorn httpx huey ioredis itsdangerous jinja2 joblib jsonschema "
    "jsonwebtoken knex lodash loguru lxml markdownify marshmallow matplotlib mongoose msgpack multer mypy nodemailer "
    "numpy openpyxl orjson pandas paramiko passlib peewee pexpect pino psutil psycopg psycopg2 pyarrow pydantic pyjwt "
    "pymongo pymysql pytest pyyaml sanic scikit-learn scipy selenium sequelize simplejson sqlalchemy sqlmodel starlette "
    "structlog supertest tenacity tornado tqdm typer ujson urllib3 uvicorn uvloop vitest weasyprint werkzeug winston "
    "xlsxwriter zeep zod "
)
"""Words of no ordinary language."""
_FORMED = (
    r"(?:django|flask|pytest|fastapi|sqlalchemy|celery|aio|types|sphinx|jest|eslint|babel)-[a-z][a-z0-9]{2,30}"
    r"|Flask-[A-Z][A-Za-z0-9]{2,30}|[a-z][a-z0-9]{2,30}-(?:python|py|cffi|binary|asyncio)"
)
_NAMES = sorted({*_SPELLED.split(), *_WORDS.split()}, key=lambda name: (-len(name), name))
_PACKAGE = re.compile(rf"(?<![\w`./@:-])(?:{_FORMED}|{'|'.join(map(re.escape, _NAMES))})(?![\w`/@-]|\.\w|\()")

_RELIED = re.compile(
    r"\b(?:(?:re)?us(?:e|es|ed|ing)|through|via|rel(?:y|ies|ying) on|runs? on|running on|built on|based on|backed by|powered by"
    r"|(?:served|handled|made|done|provided|written|sent|drawn|parsed) by|from|depends? on|with|our|existing"
    r"|already|have|has|the|in)\b",
    re.IGNORECASE,
)
_ACTS = re.compile(r"[ \t]+(?:handles|runs|sends|does|takes|keeps|gives|stores|provides|is used|workers?|tasks?)\b")
_LEFT = (
    r"not|no|never|without|instead of|rather than|unlike|against|considered|consider|alternativ\w{1,5}|avoid\w{0,3}|reject\w{0,3}"
    r"|compar\w{1,5}|similar|like|such as|e\.g\.|for example|might|could|maybe|perhaps|future|non-goals?|out of scope|whether|if"
    r"|or|evaluat\w{1,5}|prefer\w{0,3}|inspired"
)
_CHANGED = (
    r"remov\w{1,3}|drop\w{0,4}|replac\w{1,3}|migrat\w{1,3}|switch\w{0,3}|mov\w{1,3}|add\w{0,3}|install\w{0,3}|introduc\w{1,3}"
    r"|declar\w{1,3}|pin\w{0,4}|adopt\w{0,3}|bring\w{0,3}|upgrad\w{1,3}|bump\w{0,3}"
)
_NOT_BEFORE = re.compile(rf"\b(?:{_LEFT}|{_CHANGED})\b|\bnew[ \t]+(?:[\w-]{{1,20}}[ \t]+)?\Z", re.IGNORECASE)
_NOT_AFTER = re.compile(
    r"[^,]{0,40}\b(?:considered|rejected|not|or|would|could|might|may|later|instead(?! of)|is (?:new|added|introduced|installed)"
    r"|as a new|is optional|becomes)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.;:!?](?=\s|\Z)|\|")

ALIASES: dict[str, tuple[str, ...]] = {
    "beautifulsoup": ("beautifulsoup4", "bs4"),
    "opencv": ("opencv-python", "opencv-python-headless"),
    "pytorch": ("torch",),
    "dateutil": ("python-dateutil",),
    "redis-py": ("redis",),
    "psycopg2": ("psycopg2-binary",),
    "psycopg": ("psycopg2", "psycopg2-binary", "psycopg-binary"),
    "passlib": ("libpass",),
    "nestjs": ("@nestjs/core",),
    "prisma": ("@prisma/client",),
    "playwright": ("@playwright/test", "pytest-playwright"),
    "apollo": ("@apollo/client", "@apollo/server", "apollo-server"),
    "typeorm": ("@nestjs/typeorm",),
    "redux": ("@reduxjs/toolkit", "react-redux"),
    "haystack": ("django-haystack",),
    "pymysql": ("PyMySQL",),
}
"""Other names under which a manifest may declare what is spoken of."""
_IMPORTED = {
    "argon2-cffi": "argon2",
    "beautifulsoup": "bs4",
    "flask-mail": "flask_mail",
    "kafka-python": "kafka",
    "opencv": "cv2",
    "pillow": "PIL",
    "pyjwt": "jwt",
    "pytorch": "torch",
    "pyyaml": "yaml",
    "redis-py": "redis",
    "scikit-learn": "sklearn",
}


def packages_in(text: str) -> list[tuple[str, int, int]]:
    """Packages that a line of prose relies on, each with its place; not those that it weighs, refuses, adds or leaves."""
    found: list[tuple[str, int, int]] = []
    for match in _PACKAGE.finditer(text):
        before = _SENTENCE.split(text[: match.start()])[-1]
        after = _SENTENCE.split(text[match.end() :], maxsplit=1)[0]
        if (
            (_RELIED.search(before[-60:]) or _ACTS.match(after))
            and not _NOT_BEFORE.search(before)
            and not _NOT_AFTER.match(after[:60])
        ):
            found.append((match[0], *match.span()))
    return found


def names_of(package: str) -> tuple[str, ...]:
    """The names under which a manifest may declare a package, each in its normal form."""
    name = normal_name(package)
    return tuple(dict.fromkeys(map(normal_name, (name, *ALIASES.get(name, ())))))


def imported_as(package: str) -> str:
    """The first word of what an import of a package says."""
    name = normal_name(package)
    return _IMPORTED.get(name, name.replace("-", "_"))
