from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import User
from django.db import models
from django.http import HttpResponse
from django.urls import path


class Note(models.Model):
    author = models.ForeignKey(User, on_delete=models.CASCADE)
    hidden = models.BooleanField()


@permission_required("change_note", raise_exception=True)
def _set(request, number, hidden):
    note = Note.objects.get(id=number)
    note.hidden = hidden
    note.save()
    return HttpResponse()


@login_required
def _keep(request, number, hidden):
    note = Note.objects.get(id=number)
    note.hidden = hidden
    note.save()
    return HttpResponse()


def hide(request, number):
    return _set(request, number, True)  # ok: missing-ownership-check


def keep(request, number):
    return _keep(request, number, True)  # expect: missing-ownership-check


urlpatterns = [path("hide/<int:number>", hide), path("keep/<int:number>", keep)]
