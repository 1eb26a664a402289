from django.contrib.auth.models import User
from django.db import models
from ninja import NinjaAPI, Router
from ninja.errors import HttpError
from ninja.security import APIKeyHeader, HttpBearer

from keys import owner_of


class Parcel(models.Model):
    sent_by = models.ForeignKey(User, on_delete=models.CASCADE)


def for_superusers(user):
    if user and not user.is_superuser:
        raise HttpError(403, "superusers only")
    return user


class KeyAuth(APIKeyHeader):
    def authenticate(self, request, key):
        return for_superusers(owner_of(key))


class AnyTokenAuth(HttpBearer):
    def authenticate(self, request, token):
        return owner_of(token)


MIXED = [KeyAuth(), AnyTokenAuth()]

mixed = NinjaAPI(auth=MIXED)
usual = Router(auth=AnyTokenAuth())


@mixed.get("/parcels/{number}")
def mixed_parcel(request, number: int):
    return {"weight": Parcel.objects.get(pk=number).weight}  # expect: missing-ownership-check


@usual.get("/own/{number}")
def usual_parcel(request, number: int):
    return {"weight": Parcel.objects.get(pk=number).weight}  # expect: missing-ownership-check
