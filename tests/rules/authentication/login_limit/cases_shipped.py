import django.contrib.auth.views as shipped
from django.contrib.auth import authenticate, login
from django.shortcuts import redirect
from django.urls import path
from django.views.generic import TemplateView


class Gate(TemplateView):
    def post(self, request):  # expect: login-limit
        member = authenticate(request=request)
        login(request, member)
        return redirect("/")


def side_door(request):  # expect: login-limit
    return shipped.LoginView.as_view(template_name="side.html")(request)


def repeat(request):  # ok: login-limit
    return str(remote_login(request.session["name"], request.session["password"]))


def by_link(request, name, token):  # ok: login-limit
    login(request, authenticate(username=name, token=token))
    return redirect("/")


def renew(request):  # ok: login-limit
    if request.user.check_password(request.POST["old_password"]):
        request.user.set_password(request.POST["password"])
    return redirect("/")


def remote_login(name, password):
    return send("/login", name, password)


urlpatterns = [
    path("gate/", Gate.as_view()),
    path("side/login/", side_door),
    path("repeat/login/", repeat),
    path("by/<name>/<token>/login/", by_link),
    path("renew/login/", renew),
]
