from django.contrib.auth.models import User
from django.http import HttpResponse
from django.urls import path


def change_password(request):  # ok: unguarded-destruction
    account = request.user
    account.set_password(request.POST["password"])
    account.save()
    return HttpResponse("done")


def set_password(request, name):  # expect: unguarded-destruction
    account = User.objects.get(username=name)
    account.set_password(request.POST["password"])
    account.save()
    return HttpResponse("done")


urlpatterns = [path("change-password", change_password), path("set-password/<str:name>", set_password)]
