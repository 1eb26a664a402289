from sanic.response import text

FLAGS = {"httponly": True, "secure": True}
OPEN = {"httponly": False}


def kept(token):
    response = text("kept")
    response.add_cookie("session_id", token)  # expect: cookie-httponly
    response.add_cookie("session_id", token, httponly=True)  # ok: cookie-httponly
    return response


def spread(response, token):
    response.set_cookie("session_id", token, **FLAGS)  # ok: cookie-httponly
    response.set_cookie("session_id", token, **OPEN)  # expect: cookie-httponly


def changed(response, token, secure):
    options = {"path": "/"}
    options["httponly"] = secure
    response.set_cookie("session_id", token, **options)  # ok: cookie-httponly


def by_hand(response, token):
    response.headers["Set-Cookie"] = "session_id=" + token  # expect: cookie-httponly


def by_hand_and_well(response, token):
    response.headers["Set-Cookie"] = "session_id=" + token + "; HttpOnly"  # ok: cookie-httponly
