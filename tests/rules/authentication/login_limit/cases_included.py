from django.shortcuts import redirect
from django.urls import include, path



def entrance(request):
    return redirect("/")


urlpatterns = [
    path("staff/login/", entrance),
    path("staff/", include("django.contrib.auth.urls")),  # ok: login-limit
    path("members/", include("django.contrib.auth.urls")),  # expect: login-limit
    path("pages/", include("pages.urls")),  # ok: login-limit
]
