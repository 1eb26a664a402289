from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlparse, urlsplit, urlunsplit

from django.http import HttpResponseRedirect
from django.shortcuts import redirect
from django.shortcuts import reverse as shortcut_reverse
from django.urls import reverse
from django.views import View
from django.views.generic import RedirectView


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        target = parse_qs(urlparse(self.path).query)["to"][0]
        self.send_response(302)
        self.send_header("Location", target)  # expect: open-redirect
        self.send_header("X-Target", target)  # ok: open-redirect
        self.end_headers()


class Leave(RedirectView):
    def get_redirect_url(self, *args, **kwargs):
        return self.request.GET["next"]  # expect: open-redirect


class Stay(RedirectView):
    def get_redirect_url(self, *args, **kwargs):
        return reverse("home") + "?" + self.request.GET["next"]  # ok: open-redirect


def safe_next_url(address):
    parts = urlsplit(address)
    return "/" if parts.netloc or parts.scheme else address


class Checked(View):
    def get(self, request):
        return redirect(safe_next_url(request.GET["next"]))  # ok: open-redirect

    def post(self, request):
        parts = urlsplit(request.POST["next"])
        return redirect(urlunsplit(("", "", parts.path, parts.query, "")))  # ok: open-redirect

    def put(self, request):
        return redirect(request.path)  # ok: open-redirect


def to_forms(request, user_id):
    return HttpResponseRedirect(shortcut_reverse("forms", kwargs={"user_id": request.GET["user"]}))  # ok: open-redirect
