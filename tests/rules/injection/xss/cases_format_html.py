from django.http import HttpResponse
from django.urls import path
from django.utils.html import format_html


def greeting(request):
    return HttpResponse(format_html("<b>" + request.GET["name"] + "</b>"))  # expect: xss


def careful(request):
    return HttpResponse(format_html("<b>{}</b>", request.GET["name"]))  # ok: xss


urlpatterns = [path("greeting", greeting), path("careful", careful)]
