from urllib.parse import quote, urlencode

from django.conf import settings
from django.http import HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


def stays_here(url):
    for host in settings.HOSTS:
        if url_has_allowed_host_and_scheme(url, allowed_hosts=host):
            return True
    return False


def page_address(part, *names, **query):
    path = "/".join(quote(str(name)) for name in names)
    base = "%s://%s.%s" % (settings.SCHEME, part, settings.DOMAIN)
    return "%s/%s%s" % (base, path, query and "?" + urlencode(query) or "")


def after_login(request):
    target = request.GET["next"] if stays_here(request.GET.get("next")) else page_address("home")
    return HttpResponseRedirect(target)  # ok: open-redirect


def after_logout(request):
    target = request.GET["next"] if stays_here(request.GET.get("last")) else page_address("home")
    return HttpResponseRedirect(target)  # expect: open-redirect


def with_query(request):
    rest = request.GET and "?" + request.GET.urlencode() or ""
    return HttpResponseRedirect(page_address("wiki", settings.MAIN) + rest)  # ok: open-redirect


def with_anything(request):
    rest = request.GET and request.GET["rest"] or ""
    return HttpResponseRedirect(settings.MAIN + rest)  # expect: open-redirect


def to_page(request):
    return HttpResponseRedirect(page_address("wiki", "new", template=request.GET["template"]))  # ok: open-redirect


def to_host(request):
    return HttpResponseRedirect("%s/%s" % (request.GET["host"], settings.MAIN))  # expect: open-redirect


def on_the_same_page(request):
    target = request.path
    if request.META.get("QUERY_STRING"):
        target = f"{target}?{request.META['QUERY_STRING']}"
    return HttpResponseRedirect(target)  # ok: open-redirect


def on_another_page(request):
    target = request.GET["next"]
    if request.META.get("QUERY_STRING"):
        target = f"{target}?{request.META['QUERY_STRING']}"
    return HttpResponseRedirect(target)  # expect: open-redirect
