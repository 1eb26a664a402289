from django.contrib.auth import authenticate, login
from django.contrib.auth.hashers import check_password
from django.http import HttpResponse

from .models import Member


def by_hand(request):
    member = Member.objects.get(name=request.POST["name"])
    if check_password(request.POST["password"], member.password):
        request.session["member_id"] = member.id  # expect: session-fixation
    return HttpResponse("done")


def with_new_key(request):
    member = Member.objects.get(name=request.POST["name"])
    if check_password(request.POST["password"], member.password):
        request.session.cycle_key()
        request.session["member_id"] = member.id  # ok: session-fixation
    return HttpResponse("done")


def by_framework(request):
    user = authenticate(request, username=request.POST["name"], password=request.POST["password"])
    if user is not None:
        login(request, user)
        request.session["user_name"] = user.username  # ok: session-fixation
    return HttpResponse("done")
