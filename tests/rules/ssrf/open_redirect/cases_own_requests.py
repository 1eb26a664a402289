"""Requests of unlisted frameworks: recognised by where they are stored, or by the attributes read."""

from ourframework.base import *
from ourframework.context import request as kept


class Home(BaseController):
    def language(self):
        target = request.params.get("return_to", "/")
        redirect_to(target)  # expect: open-redirect

    def start(self):
        redirect_to("/start")  # ok: open-redirect


def leave(answer):
    answer.redirect(kept.args["next"])  # expect: open-redirect
