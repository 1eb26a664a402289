from django.conf.urls import url
from django.http import HttpResponse
from django.urls import re_path


def account(request, account_id):
    return HttpResponse("Account " + str(account_id))  # ok: xss


def page(request, number):
    return HttpResponse("Page " + number)  # ok: xss


def named(request, name):
    return HttpResponse("Hello " + name)  # expect: xss


def letters(request, word):
    return HttpResponse("Word " + word)  # expect: xss


urlpatterns = [
    url(r"^accounts/(?P<account_id>[0-9]+)$", account),
    re_path(r"^pages/(?P<number>\d{1,4})/$", page),
    re_path(r"^hello/(?P<name>.+)$", named),
    re_path(r"^words/(?P<word>\D+)$", letters),
]
