from django.http import HttpResponse
from django.urls import path


def purge(request):
    if request.META["HTTP_X_ROLE"] == "admin":  # expect: client-side-role
        return HttpResponse("gone")
    return HttpResponse(status=403)


def proxied(request):
    if request.META.get("REMOTE_USER") == "admin":  # ok: client-side-role
        return HttpResponse("gone")
    return HttpResponse(status=403)


urlpatterns = [path("purge", purge), path("proxied", proxied)]
