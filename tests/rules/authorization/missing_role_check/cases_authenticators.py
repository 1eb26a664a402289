from ninja import NinjaAPI
from ninja.errors import HttpError
from ninja.security import APIKeyHeader

from keys import owner_of
from shelves import tags, things


class KeyAuth(APIKeyHeader):
    def authenticate(self, request, key):
        user = owner_of(key)
        if not user.is_superuser:
            raise HttpError(403, "superusers only")
        return user


api = NinjaAPI(auth=KeyAuth())


@api.get("/things")
def listed(request):
    return things.all()


@api.get("/things/{number}")
def one(request, number: int):
    return things.get(number)


@api.post("/things")
def added(request, name: str):
    return things.add(name)


@api.put("/things/{number}")
def renamed(request, number: int, name: str):
    return things.rename(number, name)


@api.get("/tags", auth=None)
def suggested(request, start: str):  # ok: missing-role-check
    if not request.user.is_authenticated:
        raise HttpError(401, "log in")
    return tags.beginning_with(start)
