"""What a secret's proof rests on: a use of this very value, or the open points that say it was not seen (A55)."""

import pytest

from counterproof.analysis.secrets import examine
from counterproof.analysis.secrets.spans import secrets_in
from counterproof.model.proof import Guess
from counterproof.model.severity import Confidence, Impact, Severity

RANDOM = "9f86d081884c7d659a2feaa0c55ad015"
READS = "export const read = (input: any) => input.secret_word + input.secret;\n"


def ceilings(project) -> list[tuple[str, Severity]]:
    """The severity of each proof after the checker has read its facts."""
    return [(str(each.location), _bears(each.proof)) for each in examine(project).findings]


def _bears(proof) -> Severity:
    open_points = len(proof.assumptions) + len(proof.missing)
    return (Severity.CRITICAL, Severity.MEDIUM, Severity.LOW)[min(open_points, 2)]


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"a.ts": f"const signingKey = '{RANDOM}';\nexport const t = jwt.sign({{}}, signingKey);\n"}, "a.ts:1"),
        ({"a.ts": "app.use(session({\n  secret: 'keyboardcat9',\n}));\n"}, "a.ts:2"),
        ({".env": "JWT_SECRET=pantaloon\n", "a.ts": "export const k = process.env.JWT_SECRET;\n"}, ".env:1"),
        ({"app.py": "import jwt\nsigning_key = 'pantaloon'\ndef f(c):\n    return jwt.encode(c, signing_key)\n"}, "app.py:2"),
        ({"k.py": "JWT_SECRET = 'pantaloon'\n", "app.py": "from k import JWT_SECRET\nlogin(JWT_SECRET)\n"}, "k.py:1"),
    ],
    ids=["signed-with", "given-in-place", "setting", "python", "imported"],
)
def test_a_secret_that_something_takes_is_proved(project_of, files: dict[str, str], place: str) -> None:
    assert (place, Severity.CRITICAL) in ceilings(project_of(files))


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"a.ts": "const made = store.add({\n  secret_word: 'abc1-x9q',\n});\n", "b.ts": READS}, "a.ts:2"),
        ({"a.ts": "await app.register(plugin, {\n  sessionKey: 'csrf7Token',\n});\n", "b.ts": READS}, "a.ts:2"),
        (
            {"settings.json": '{\n  "apiKey": "trykey-7"\n}\n', "b.ts": "export const f = (x: any) => x.apiKey;\n"},
            "settings.json:2",
        ),
        (
            {"app.py": "def headers(user, password='secret1'):\n    return user\n", "b.py": "def f(o):\n    o.password\n"},
            "app.py:1",
        ),
        ({"a.ts": "export const cookies = {\n  sessionKey: 'Session-7-Of-The-Visitor',\n};\n"}, "a.ts:2"),
    ],
    ids=["data", "name-of-an-entry", "settings-of-nobody", "default", "words"],
)
def test_a_word_that_nothing_takes_is_a_secret_by_its_name_only(project_of, files: dict[str, str], place: str) -> None:
    found = {str(each.location): each.proof for each in examine(project_of(files)).findings}
    assert found[place].assumptions[0].guess is Guess.NAME
    assert found[place].open_points


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("files", "severity", "confidence"),
    [
        ({"a.ts": f"export const shape = {{\n  secret: '{RANDOM}',\n}};\n"}, Severity.LOW, Confidence.PATTERN),
        ({"app.env": f"STORE_PASSWORD={RANDOM}\n"}, Severity.LOW, Confidence.PATTERN),
        ({"app.py": f"SECRET_KEY = '{RANDOM}'\n"}, Severity.HIGH, Confidence.HIGH),
        ({"app.py": "def let_in(form):\n    return form['password'] == 'hunter2'\n"}, Severity.MEDIUM, Confidence.HIGH),
        ({"app.env": "STORE=postgres://me:s3cr3t@db.internal/x\n"}, Severity.MEDIUM, Confidence.HIGH),
    ],
    ids=["in-code", "in-an-environment", "signed-with", "compared", "connected-with"],
)
def test_a_secret_by_its_name_alone_has_the_lowest_confidence(project_of, files, severity, confidence) -> None:
    assert [(each.severity, each.confidence) for each in examine(project_of(files)).findings] == [(severity, confidence)]


def test_a_thing_of_the_same_name_elsewhere_is_no_use(project_of) -> None:
    files = {"a.ts": f"export const shape = {{\n  secret: '{RANDOM}',\n}};\n", "b.ts": READS}
    assert ceilings(project_of(files)) == [("a.ts:2", Severity.LOW)]


def test_tables_of_texts_hold_no_secrets(project_of) -> None:
    said = (
        "  title: 'Email notifications',\n  user: 'SMTP user',\n  privateKey: 'PGP Private Key',\n  saved: 'All is saved now',\n"
        "  validationKey: 'You must provide a private key',\n  password: 'Password',\n  failed: 'It failed to save',\n"
    )
    kept = said.replace("'Password'", "'hunter2'").replace("'PGP Private Key'", f"'{RANDOM}'")
    files = {"a.tsx": f"const messages = {{\n{said}}};\n", "b.tsx": f"const messages = {{\n{kept}}};\n"}
    assert [str(each.location) for each in examine(project_of(files)).findings] == ["b.tsx:4", "b.tsx:7"]


def test_markup_is_no_key_and_settings_for_tests_sign_nothing(project_of) -> None:
    files = {
        "a.js": "const kinds = {\n  '^apikey': '<i class=\"icon\">&nbsp;</i>API key',\n};\n",
        "manage.py": "settings.configure(ROOT_URLCONF='tests.urls', SECRET_KEY='ThisIsOnlyTried')\n",
        "live.py": "settings.configure(ROOT_URLCONF='shop.urls', SECRET_KEY='ThisIsInUse')\n",
    }
    assert [str(each.location) for each in examine(project_of(files)).findings] == ["live.py:1"]


def test_what_the_environment_replaces_and_what_is_called_a_default_weighs_less(project_of) -> None:
    settings = f"    signing_key: str = '{RANDOM}'\njwt.encode({{}}, signing_key)\n"
    files = {
        "settings.py": f"import jwt\nclass Settings(BaseSettings):\n{settings}",
        "plain.py": f"import jwt\nclass Settings:\n{settings}",
        "named.py": f"import jwt\n_default_secret_key = '{RANDOM}'\njwt.encode({{}}, _default_secret_key)\n",
    }
    found = {str(each.location): each.severity for each in examine(project_of(files)).findings}
    assert found == {"settings.py:3": Severity.MEDIUM, "plain.py:3": Severity.HIGH, "named.py:2": Severity.MEDIUM}


def test_word_that_nothing_uses_is_no_secret(project_of) -> None:
    words = {"a.py": "DB_PASSWORD = 'walnut'\n", "b.ts": "export const keys = { sessionKey: 'SessionKeyOfTheVisitor' };\n"}
    assert examine(project_of(words)).findings == ()
    used = {"a.py": words["a.py"] + "import psycopg2\npsycopg2.connect(password=DB_PASSWORD)\n"}
    assert [str(each.location) for each in examine(project_of(used)).findings] == ["a.py:1"]


@pytest.mark.rule("A55")
def test_a_password_of_another_system_leaves_open_what_it_opens(project_of) -> None:
    code = {
        "a.ts": "const options = {\n  password: 'hunter2',\n};\npool.connect(options);\n",
        "b.py": "def let_in(form):\n    return form['password'] == 'hunter2'\n",
        "c.py": "def setup(db):\n    db.add(User(username='admin', password='hunter2'))\n",
    }
    assert ceilings(project_of(code)) == [
        ("a.ts:2", Severity.LOW),
        ("b.py:2", Severity.CRITICAL),
        ("c.py:2", Severity.CRITICAL),
    ]


@pytest.mark.rule("A55")
def test_a_setting_that_another_file_sets_is_a_default(project_of) -> None:
    code = f'SECRET_KEY = "{RANDOM}"\nINSTALLED_APPS = ["django.contrib.auth"]\n'
    alone, settled = {"settings.py": code}, {"settings.py": code, "app.env.example": "# SECRET_KEY=\n"}
    assert ceilings(project_of(alone)) == [("settings.py:1", Severity.CRITICAL)]
    assert ceilings(project_of(settled)) == [("settings.py:1", Severity.MEDIUM)]


@pytest.mark.rule("A55")
def test_a_key_that_another_service_gave_opens_nobody_knows_what(project_of) -> None:
    files = {"a.ts": f"const tmdbApiKey = '{RANDOM}';\nexport const c = connect(tmdbApiKey);\n"}
    assert ceilings(project_of(files)) == [("a.ts:1", Severity.LOW)]


@pytest.mark.parametrize(("name", "impact"), [("JWT_SECRET", Impact.FULL), ("STORE_SECRET", Impact.PARTIAL)])
def test_only_what_decides_who_is_calling_gives_everything_away(project_of, name: str, impact: Impact) -> None:
    files = {".env": f"{name}={RANDOM}\n", "a.ts": f"export const k = process.env.{name};\n"}
    assert [each.rating.impact for each in examine(project_of(files)).findings] == [impact]


@pytest.mark.parametrize(
    ("more", "impact"),
    [
        ("", Impact.PARTIAL),
        ("from flask import session\ndef who():\n    return session['user']\n", Impact.FULL),
        ("from flask_login import LoginManager\n", Impact.FULL),
    ],
    ids=["nobody-has-an-account", "sessions", "logins"],
)
def test_what_a_framework_signs_gives_everything_away_where_callers_are_somebody(project_of, more: str, impact: Impact) -> None:
    code = f"from flask import Flask\napp = Flask(__name__)\napp.config['SECRET_KEY'] = '{RANDOM}'\n{more}"
    assert [each.rating.impact for each in examine(project_of({"app.py": code})).findings] == [impact]


TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3Nzc3IiwiaXNzIjoic2hvcCJ9.4Zf3Qx0oGm8rT1sYb7uKcWnE2vLdPa6iHjXy5tRq9Bs"


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("path", "text", "bears"),
    [
        ("openapi.yaml", f"openapi: 3.0.0\ntoken:\n  type: string\n  example: {TOKEN}\n", []),
        ("answers.json", f'{{"token": "{TOKEN}"}}\n', [Severity.LOW]),
        ("client.py", f"import requests\nrequests.get('https://shop.test', auth=login(token='{TOKEN}'))\n", [Severity.MEDIUM]),
    ],
    ids=["description", "recorded", "used"],
)
def test_a_token_that_nothing_uses_ran_out_long_ago(project_of, path: str, text: str, bears: list[Severity]) -> None:
    assert [bearing for _, bearing in ceilings(project_of({path: text}))] == bears


@pytest.mark.rule("A55")
def test_a_key_of_which_nobody_knows_what_it_opens_is_low(project_of) -> None:
    code = f"import app\nstore_secret = '{RANDOM}'\ncipher = app.cipher(store_secret)\n"
    assert ceilings(project_of({"app.py": code})) == [("app.py:2", Severity.LOW)]


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("files", "bears"),
    [
        ({"relay.ts": f"export const relay = {{\n  credential: '{RANDOM}',\n}};\n"}, Severity.LOW),
        ({"app.env": f"STORE_PASSWORD={RANDOM}\n"}, Severity.LOW),
    ],
    ids=["in-code", "in-an-environment"],
)
def test_what_no_code_takes_bears_no_more_than_what_is_taken_for_something_unknown(project_of, files, bears: Severity) -> None:
    assert [bearing for _, bearing in ceilings(project_of(files))] == [bears]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a.go": 'const (\n\tCONFIG_KEY_JWT_SECRET = "jwt-secret"\n)\n'}, []),
        ({"page.fr.json": '{\n  "keep the current password": "gardez le mot de passe"\n}\n'}, []),
        ({"tasks.py": "def tried(made):\n    assert made.password == 'sikrit9x'\n"}, []),
        ({"app.py": "def let_in(form):\n    return form['password'] == 'sikrit9x'\n"}, ["app.py:2"]),
        ({"a.tsx": 'export const a = (\n  <input\n    placeholder="AKIAIOSFODNN7EXAMPLE"\n  />\n);\n'}, []),
        ({"tests_five/settings.py": "SECRET_KEY = 'only-tried-here'\n"}, []),
    ],
    ids=["name-of-an-entry", "another-language", "asserted", "compared", "place-holder", "tests"],
)
def test_names_sentences_and_what_is_tried_are_no_secrets(project_of, files: dict[str, str], told: list[str]) -> None:
    assert [str(each.location) for each in examine(project_of(files)).findings] == told


@pytest.mark.rule("A55")
@pytest.mark.parametrize(("asked", "borne"), [("DEV_MODE", Severity.LOW), ("SECURE", Severity.CRITICAL)])
def test_developer_only_secret_has_low_severity(project_of, asked: str, borne: Severity) -> None:
    code = "from flask import Flask\nfrom flask_login import current_user\napp = Flask(__name__)\n"
    code += f"if app.config.get('{asked}'):\n    app.config.update(SECRET_KEY='{RANDOM}')\n"
    assert ceilings(project_of({"app.py": code})) == [("app.py:5", borne)]


ASKS = "function authenticate(type, error) { return (q, r, n) => { if (!q.user) throw new Problem(error, 401); n(); }; }\n"
STORES = "const login = async (user, p) => http.post('/in', { user, password: p });\n"
CHECKS = "function login(user, p) { return user === 'root' && users[user].password === p; }\n"
RAISES = "def authenticate(kind, message):\n    raise Problem(message)\n\n"
SENDS = "def login(a, b):\n    return http.post('/in', data={'user': a, 'password': b})\n\n"
MESSAGE = "authenticate('jwt', 'Not allowed 42x.')\n"
PASSWORD = "login('root', 'hunter2-Xy')\n"


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"a.js": ASKS + MESSAGE}, []),
        (
            {
                "auth.js": f"{ASKS}module.exports = {{ authenticate }};\n",
                "a.js": f"const auth = require('./auth');\nauth.{MESSAGE}",
            },
            [],
        ),
        ({"a.js": f"import {{ authenticate }} from './auth';\n{MESSAGE}", "auth.js": f"export {ASKS}"}, []),
        ({"a.py": RAISES + MESSAGE}, []),
        ({"auth.py": RAISES, "a.py": f"from auth import authenticate\n{MESSAGE}"}, []),
        ({"a.js": STORES + PASSWORD}, ["a.js:2"]),
        ({"a.js": CHECKS + PASSWORD}, ["a.js:2"]),
        ({"auth.py": SENDS, "a.py": f"from auth import login\n{PASSWORD}"}, ["a.py:2"]),
        ({"a.py": f"client.{PASSWORD}"}, ["a.py:1"]),
    ],
)
def test_an_argument_is_a_secret_only_where_the_function_takes_one(project_of, files: dict[str, str], found: list[str]) -> None:
    assert [str(each.location) for each in examine(project_of(files)).findings] == found


@pytest.mark.rule("X17")
def test_a_message_for_a_function_of_the_file_is_shown(project_of) -> None:
    assert list(secrets_in(ASKS + MESSAGE, "a.js")) == []
    assert [each.kind for each in secrets_in(STORES + PASSWORD, "a.js")] == ["password"]
