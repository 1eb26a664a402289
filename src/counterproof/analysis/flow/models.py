"""What known functions do to data: pass it on, make it harmless, or return something else altogether.

Always holds: only what the standard library and widely used packages document. A function named nowhere here passes its
arguments on with the flow marked as broken by an external library. Does not belong here: sanitisers of a single rule.
"""

from counterproof.analysis.flow.folding import TEXT_METHODS
from counterproof.analysis.flow.words import words

HARMLESS = words("""
int float bool complex len abs round hash id isinstance issubclass hasattr callable any all ord sum range type divmod
print super property staticmethod classmethod object vars dir locals globals
uuid.UUID decimal.Decimal fractions.Fraction ipaddress.ip_address ipaddress.ip_network
os.path.exists os.path.isfile os.path.isdir os.path.getsize os.path.getmtime os.access os.stat os.getpid os.cpu_count os.getcwd
flask.render_template flask.jsonify flask.url_for flask.flash flask.abort flask.send_from_directory flask.json.jsonify
quart.render_template quart.jsonify quart.url_for quart.flash quart.abort quart.send_from_directory sanic.response.json sanic.json
django.shortcuts.render django.http.JsonResponse django.urls.reverse
django.urls.reverse_lazy django.shortcuts.reverse django.core.urlresolvers.reverse rest_framework.reverse.reverse
django.shortcuts.get_object_or_404 django.shortcuts.get_list_or_404 django.contrib.messages.error
starlette.responses.JSONResponse fastapi.responses.JSONResponse fastapi.HTTPException aiohttp.web.json_response
werkzeug.exceptions.abort zlib.crc32 binascii.crc32 struct.calcsize mimetypes.guess_type imghdr.what
re.compile threading.Thread ssl.create_default_context
flask.redirect quart.redirect werkzeug.utils.redirect django.shortcuts.redirect django.http.HttpResponseRedirect
""")
"""Results that no outsider can shape, whatever goes in."""

_HARMLESS_MODULES = (
    "hashlib.",
    "yt_dlp.YoutubeDL().prepare_filename",
    "hmac.",
    "secrets.",
    "random.",
    "datetime.",
    "time.",
    "logging.",
    "math.",
    "bcrypt.",
    "passlib.",
    "werkzeug.security.",
    "django.contrib.auth.",
    "django.utils.timezone.",
    "flask_login.",
    "warnings.",
    "enum.",
    "sqlalchemy.",
    "flask_sqlalchemy.SQLAlchemy().select",
    "flask_sqlalchemy.SQLAlchemy().update",
    "flask_sqlalchemy.SQLAlchemy().insert",
    "flask_sqlalchemy.SQLAlchemy().delete",
    "sqlmodel.",
)
"""Statements of an object-relational mapper count: what goes into them becomes a parameter, and raw text is a sink of its own."""

PASSING = words("""
str bytes bytearray repr ascii format list tuple set frozenset dict sorted reversed iter next enumerate zip map filter min max
getattr vars memoryview slice unicode chr
json.loads json.dumps json.load json.dump urllib.parse.quote urllib.parse.quote_plus urllib.parse.unquote
urllib.parse.unquote_plus urllib.parse.urlparse urllib.parse.urlsplit urllib.parse.urljoin urllib.parse.urlencode
urllib.parse.parse_qs urllib.parse.parse_qsl urllib.parse.urlunparse urllib.parse.urlunsplit urllib.unquote urllib.quote
os.path.join os.path.normpath os.path.abspath os.path.realpath os.path.expanduser os.path.expandvars os.path.dirname
os.path.basename os.path.split os.path.splitext os.path.relpath os.fspath os.fsencode os.fsdecode posixpath.join
posixpath.normpath pathlib.Path pathlib.PurePath pathlib.PosixPath pathlib.PurePosixPath
io.StringIO io.BytesIO io.TextIOWrapper html.unescape html.escape copy.copy copy.deepcopy
typing.cast functools.partial functools.reduce
re.sub re.subn re.findall re.finditer re.search re.match re.fullmatch re.split re.escape
string.Template textwrap.dedent textwrap.fill shlex.split shlex.quote shlex.join pipes.quote ast.literal_eval
xml.etree.ElementTree.fromstring xml.etree.ElementTree.XML xml.etree.ElementTree.parse lxml.etree.fromstring lxml.etree.XML
lxml.etree.parse defusedxml.ElementTree.fromstring defusedxml.ElementTree.parse xml.dom.minidom.parseString xmltodict.parse
yaml.safe_load yaml.load csv.reader csv.DictReader tomllib.loads
gzip.decompress zlib.decompress bz2.decompress markupsafe.Markup markupsafe.escape flask.Markup flask.escape
flask.make_response flask.Response quart.make_response quart.Response django.utils.html.escape django.utils.html.strip_tags
django.utils.safestring.mark_safe bleach.clean werkzeug.utils.secure_filename asyncio.wait_for asyncio.to_thread
jinja2.Template mako.template.Template zipfile.ZipFile tarfile.open tarfile.TarFile
aiohttp.web.Response django.http.HttpResponse starlette.responses.HTMLResponse fastapi.responses.HTMLResponse
""")
"""Results that carry whatever went in."""

_PASSING_MODULES = (
    "base64.",
    "binascii.",
    "codecs.",
    "itertools.",
    "collections.",
    "textwrap.",
    "operator.",
    "unicodedata.",
    "string.",
)

UNDOING = words("""
base64.b64decode base64.urlsafe_b64decode base64.standard_b64decode base64.b32decode base64.b16decode binascii.unhexlify
binascii.a2b_base64 urllib.parse.unquote urllib.parse.unquote_plus urllib.unquote html.unescape json.loads codecs.decode
ast.literal_eval shlex.split
""")
"""Calls that take an encoding off again, and with it whatever safety it gave."""

TOKEN_DECODERS = words("""
jwt.decode jose.jwt.decode authlib.jose.jwt.decode jwt.api_jwt.decode flask_jwt_extended.decode_token
""")
"""Calls that check a signature before they hand on what was signed, unless they are told not to."""

NO_RETURN = frozenset(
    {
        "flask.abort",
        "werkzeug.exceptions.abort",
        "quart.abort",
        "bottle.abort",
        "sys.exit",
        "exit",
        "quit",
        "os._exit",
        "os.abort",
        "flask_restful.abort",
        "flask_restx.abort",
        "django.core.exceptions.PermissionDenied.raise",
    }
)
"""Calls that end the path they stand on."""

QUESTIONS = words("""
isdigit isalpha isalnum isdecimal isnumeric isidentifier islower isupper isspace istitle isascii startswith endswith find rfind
index rindex count exists is_file is_dir is_absolute is_relative_to stat has_key hexdigest digest __len__ __contains__ tell
get_absolute_url seek fileno isatty samefile bit_length is_integer issubset issuperset isdisjoint toordinal timestamp
route_path route_url current_route_path current_route_url resource_path resource_url as_sql sql_with_params
""")
"""Methods that answer about a value without handing it on."""

LOOKUPS = words("""
get filter filter_by exclude get_or_404 first_or_404 one_or_none first all one scalar scalars fetchone fetchall fetchmany execute
executemany executescript query find find_one search search_s search_ext_s aggregate count exists save delete update insert commit
add add_all remove write writelines send sendall log info debug warning error critical exception login logout authenticate verify
check check_password set_password validate authorize has_permission get_user create get_or_create update_or_create put post patch
head options request fetch emit publish notify flash set_cookie delete_cookie append_entry bind close flush publish enqueue delay
findOne findById findAll findByPk findUnique findUniqueOrThrow findFirst findFirstOrThrow findMany findOneBy findOneOrFail findBy
findAndCountAll findOneAndUpdate findOneAndDelete findByIdAndUpdate findByIdAndDelete findOrCreate countDocuments where andWhere
orWhere whereIn whereNot andWhereNot orderBy returning upsert deleteOne deleteMany updateOne updateMany insertMany createMany
""")
"""Methods of things outside the project whose result is chosen by what they look up, not by what they are asked."""

EVERYDAY = (
    LOOKUPS
    | QUESTIONS
    | TEXT_METHODS
    | words("""
append extend insert pop remove clear copy keys values items setdefault update sort reverse join split rsplit splitlines format
encode decode read readline readlines open close start stop set group groups match fullmatch sub findall acquire release
put_nowait cursor commit rollback connect render json text load loads dump dumps next send throw register
route __init__ __enter__ __exit__
""")
)
"""Method names so common that a call on something unknown says nothing about its class."""

CHECKED_BY_CALL = frozenset(
    {"int", "float", "complex", "uuid.UUID", "decimal.Decimal", "ipaddress.ip_address", "ipaddress.ip_network"}
)
"""Calls that raise unless their argument has a harmless form, so that the argument itself is harmless afterwards."""


def is_harmless(path: str) -> bool:
    return path in HARMLESS or path.startswith(_HARMLESS_MODULES)


def is_passing(path: str) -> bool:
    return path in PASSING or path.startswith(_PASSING_MODULES)


def is_text_method(name: str) -> bool:
    return name in TEXT_METHODS or name in ("encode", "decode", "format", "join", "format_map", "translate")
