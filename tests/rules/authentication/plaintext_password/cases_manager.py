from django.contrib.auth.hashers import make_password
from django.db import models
from django.http import HttpResponse


class Subscriber(models.Model):
    name = models.CharField(max_length=80)
    password = models.CharField(max_length=80)


def join(request):
    Subscriber.objects.create(name=request.POST["name"], password=request.POST["password"])  # expect: plaintext-password
    return HttpResponse("welcome")


def hashed(request):
    Subscriber.objects.create(name=request.POST["name"], password=make_password(request.POST["password"]))  # ok: plaintext-password
    return HttpResponse("welcome")
