from django.shortcuts import render
from django.template.loader import get_template
from django.urls import path


def looked_up(request):
    return render(request, "cases_called.html", {"word": request.GET["word"]})


urlpatterns = [path("looked-up", looked_up)]


def told(request, mail):
    mail.send(get_template("cases_mail.jinja").render({"name": request.POST["name"]}))


urlpatterns += [path("told", told)]
