"""The check of `cookie-httponly`."""

from functools import partial

from counterproof.analysis.config.cookies import cookie_flag
from counterproof.analysis.config.patterns import Matching
from counterproof.analysis.flow.seen_calls import COOKIE_CALLS, SECRETS
from counterproof.analysis.flow.seen_calls import cookie_flag as script_flag

check = Matching(*cookie_flag("httponly", "SESSION_COOKIE_HTTPONLY", "REMEMBER_COOKIE_HTTPONLY", "JWT_COOKIE_HTTPONLY"))
check_script = partial(script_flag, flag="httpOnly", secrets=SECRETS | {"user"}, by_default=True)
calls_script = COOKIE_CALLS
