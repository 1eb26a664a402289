from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import models
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.html import escape


class ApiToken(models.Model):
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    text = models.CharField(max_length=80)


@login_required
def detail(request, token_id):
    return render(request, "token.html", {"token": ApiToken.objects.get(id=token_id)})  # expect: missing-ownership-check


@login_required
def greeted(request, number):
    token = ApiToken.objects.get(id=number)  # expect: missing-ownership-check
    return HttpResponse(f"<p>{escape(request.user.username)} looks at {escape(token.text)}</p>")


@login_required
def chosen(request):
    wanted = request.POST.get("token")
    return render(request, "token.html", {"token": ApiToken.objects.get(pk=wanted)})  # expect: missing-ownership-check


@login_required
def own(request, token_id):
    return render(request, "token.html", {"token": ApiToken.objects.get(id=token_id, user=request.user)})  # ok: missing-ownership-check


@login_required
def redeem(request, number, token):
    return render(request, "token.html", {"token": ApiToken.objects.get(id=number, text=token)})  # ok: missing-ownership-check


urlpatterns = [path("t/<int:token_id>", detail), path("o/<int:token_id>", own), path("r/<int:number>/<token>", redeem), path("g/<int:number>", greeted)]
urlpatterns += [path("c", chosen)]
