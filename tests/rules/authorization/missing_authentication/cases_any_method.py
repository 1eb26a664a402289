from django.contrib.auth.decorators import login_required
from django.core.signing import TimestampSigner
from django.shortcuts import redirect, render
from django.urls import path

from .models import Memo


@login_required
def memos(request):
    return render(request, "memos.html", {"memos": Memo.objects.filter(user=request.user)})  # ok: missing-authentication


@login_required
def write(request):
    Memo.objects.create(user=request.user, text=request.POST["text"])  # ok: missing-authentication
    return redirect("/")


@login_required
def show(request, pk):
    return render(request, "memo.html", {"memo": Memo.objects.get(pk=pk, user=request.user)})  # ok: missing-authentication


def load(request):  # expect: missing-authentication
    for line in request.FILES["memos"]:
        Memo.objects.create(user=request.user, text=line)
    return redirect("/")


def sign_up(request):  # ok: missing-authentication
    Memo.objects.create(text="Welcome, " + request.POST["name"])
    return redirect("/")


def returned(request):  # ok: missing-authentication
    Memo.objects.filter(pk=TimestampSigner().unsign(request.POST["memo"])).update(sent=False)
    return redirect("/")


def board(request):  # ok: missing-authentication
    return write(request) if request.method == "POST" else memos(request)


urlpatterns = [
    path("memos", memos),
    path("write", write),
    path("memos/<int:pk>", show),
    path("load", load),
    path("new", sign_up),
    path("returned", returned),
    path("board", board),
]
