"""Package names that differ from a well-known one by a slip of the finger.

A short list of our own; it says nothing about packages that are not on it. Names under six letters and version numbers at
the end are left alone: too many honest packages are one letter apart there.
"""

from string import digits

_NAMES = """
aiohttp alembic ansible anyio argon2-cffi asgiref asyncpg attrs authlib azure-core babel bcrypt beautifulsoup4 bleach
boto3 botocore cachetools celery certifi cffi chardet charset-normalizer click colorama configparser coverage cryptography
cython dataset datasets decorator defusedxml deprecated django django-cors-headers django-filter djangorestframework docker
dnspython docutils elasticsearch email-validator fastapi filelock flask flask-cors flask-login flask-sqlalchemy flask-wtf
fsspec gevent gitpython google-auth graphql-core greenlet
grequests grpcio gunicorn httpcore httptools httpx huggingface-hub
hypothesis idna importlib-metadata ipython isodate itsdangerous jinja2 jmespath joblib jsonschema jupyter keras keyring
kombu langchain lxml mako markdown markdown2 markupsafe marshmallow matplotlib moto msgpack mypy mysqlclient networkx
nltk numpy oauthlib openai openpyxl orjson packaging pandas paramiko passlib pillow pluggy prometheus-client protobuf
psutil psycopg psycopg-binary psycopg-pool
psycopg2 psycopg2-binary pyaml pyasn1 pycparser pycryptodome pycryptodomex pydantic pydantic-core
pygments pyjwt pymongo pymssql pymysql pynacl pyodbc pyopenssl pyparsing pyserial pytest python-dateutil python-dotenv
python-jose python-multipart pytz pyyaml pyzmq redis regex requests requests-oauthlib rich ruamel-yaml s3transfer
scikit-learn scipy selenium sentry-sdk setuptools shapely simplejson six sniffio soupsieve sphinx sqlalchemy sqlparse
starlette tabulate tenacity tensorflow termcolor tokenizers tomlkit torch torchvision tornado tqdm traitlets
transformers twisted typer typing-extensions tzdata tzlocal ujson urllib3 uvicorn uvloop virtualenv watchdog
websocket-client websockets werkzeug wheel whitenoise wrapt xmltodict zipp zope-interface
"""
WELL_KNOWN = frozenset(_NAMES.split())
_CONFUSABLE = str.maketrans("013457", "oleast")
_SHORTEST = 6


def looks_like(name: str) -> tuple[str, bool] | None:
    """The well-known package that this name can be mistaken for, and whether the likeness is plainly meant to deceive."""
    if name in WELL_KNOWN or len(name) < _SHORTEST or len(name) > 40:
        return None
    plain = name.translate(_CONFUSABLE)
    if plain != name and plain in WELL_KNOWN and not name[-1].isdigit():
        return plain, True
    for known in sorted(WELL_KNOWN):
        if len(known) >= _SHORTEST and known.rstrip(digits) != name.rstrip(digits) and _one_slip(name, known):
            return known, False
    return None


def _one_slip(left: str, right: str) -> bool:
    """One letter more, less or other, or two neighbours swapped."""
    if abs(len(left) - len(right)) > 1:
        return False
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    rest_left, rest_right = left[start:], right[start:]
    if len(left) == len(right):
        swapped = rest_left[:2] == rest_right[:2][::-1] and rest_left[2:] == rest_right[2:]
        return rest_left[1:] == rest_right[1:] or swapped
    return rest_left[1:] == rest_right or rest_left == rest_right[1:]
