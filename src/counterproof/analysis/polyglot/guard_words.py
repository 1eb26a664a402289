"""The words that guards of scripts are recognised by, as data, and the kinds of nodes that tests and refusals are.

Invariant: strong words make foreign code a guard, weak ones a doubt, neutral ones nothing. Not handled here: how words are
weighed against code.
"""

from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.model.survey import Language

GUARD = vocabulary(
    "auth authenticate authenticated authenticates authentication authorize authorized authorise authorised authorization "
    "login logged signin signed jwt protect protected guard permission permissions permit role roles admin can acl rbac oauth "
    "bearer verify token apikey secured secure restrict restricted private passport clerk key keycloak oidc "
    "ability abilities scope scopes throw401 sanctum"
)
STRONG = vocabulary(
    "auth authenticate authenticated authentication authorize authorized authorise authorised authorization login logged jwt "
    "passport protected permission permissions acl rbac keycloak admin roles role bearer oidc sanctum"
)
OPEN = vocabulary("not optional optionally guest anonymous public permitall skip noauth exempt unauthenticated allowany maybe")
_PACKAGES = frozenset(
    name
    for kind in ("csrf", "headers", "none", "rate-limit")
    for name in names("guard", kind, Language.JAVASCRIPT)
    if name.isalpha()
)
"""Middleware that asks nobody who he is."""
NEUTRAL = _PACKAGES | vocabulary(
    "cors json urlencoded bodyparser body parser parse logger logging log compression compress gzip static "
    "cookieparser cookie cookies upload uploads single fields array validate validator validation valid check query "
    "param params schema dto sanitize limit ratelimit rate throttle slow csp flash i18n locale "
    "favicon responsetime timeout timer metrics prometheus tracing trace recovery recover recoverer requestid request realip "
    "id cache etag favicon error errors handler notfound methodoverride override serve assets proxy expressvalidator "
    "swagger docs swaggerui graphqlupload trim session flash render view views monitor telemetry sentry bindings "
    "substitute substitutebindings encrypt convert maintenance preflight trailing slash slashes strip no content type "
    "contenttype allow accept heartbeat clean path headers header security hsts web api nocache stripslashes async "
    "asynchandler catch boom raw text formdata multipart config db database connection pool io socket "
    "feature policy referrer robots txt sniff xss filter finale hidden powered"
)
NEVER = _PACKAGES | vocabulary("limit ratelimit throttle throttler throttling initialize logout slowdown cors")
IDENTITY = vocabulary(
    "session auth authenticated authorization authorized authorised bearer jwt login logged token cookie cookies permission "
    "permissions principal identity apikey signature user currentuser role roles admin account owner member claims"
)
CREDENTIALS = vocabulary("password passwd pwd passphrase compare checkpassword")
SIGNING_IN = vocabulary("login signin signup register logon authenticate reset forgot")
REFUSAL = vocabulary(
    "unauthorized unauthorised forbidden denied unauthenticated 401 403 accessdenied notauthorized unauthorizedexception "
    "forbiddenexception"
)
LOGIN = vocabulary("login signin sso unauthorized")
DEMANDS = vocabulary("authorize requirelogin requireuser requestauthentication")
"""Calls of well-known helpers that turn callers away themselves."""
TURNING_AWAY = vocabulary("redirect redirectto halt abort raise fail sendredirect deny denied reject")
DELEGATES = vocabulary("expressjwt jwtcheck checkjwt passport authenticate requiresauth requireauth authguard")
OPTIONS = ("object", "unary_expression")
GATES = vocabulary("is require requires ensure deny denied check must only")
THROWS = ("throw_statement",)
PRESENCE = vocabulary("header headers authorization token bearer cookie cookies present session user userid currentuser")
NEGATIONS = ("!", "null", "undefined", "==")
CONDITIONS = ("if_statement", "ternary_expression")
LEAVES = (
    "identifier", "property_identifier", "field_identifier", "type_identifier", "constant", "name", "string_fragment",
    "string_content", "interpreted_string_literal_content", "number", "integer", "int_literal", "decimal_integer_literal",
    "simple_symbol", "hash_key_symbol", "shorthand_property_identifier", "shorthand_property_identifier_pattern",
    "instance_variable",
)  # fmt: skip
