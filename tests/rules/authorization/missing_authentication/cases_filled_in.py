from django.contrib.auth.decorators import login_required, user_passes_test
from django.db import models
from django.http import HttpResponse
from django.urls import path


class Tag(models.Model):
    name = models.CharField(max_length=40)


def keepers_only(function):
    return user_passes_test(lambda user: user.is_authenticated and user.keeper)(function)


@login_required
def rename(request, number):  # ok: missing-authentication
    Tag.objects.filter(id=number).update(name=request.POST["name"])
    return HttpResponse()


@login_required
def merge(request, number):  # ok: missing-authentication
    Tag.objects.filter(id=number).update(name=request.POST["name"])
    return HttpResponse()


@keepers_only
def remove(request, number):  # ok: missing-authentication
    Tag.objects.filter(id=number).delete()
    return HttpResponse()


def drop(request, number):  # expect: missing-authentication
    Tag.objects.filter(id=number).delete()
    return HttpResponse()


urlpatterns = [path("rename", rename), path("merge", merge), path("remove", remove), path("drop", drop)]
