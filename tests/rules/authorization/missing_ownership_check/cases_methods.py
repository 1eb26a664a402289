from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import User
from django.db import models
from django.http import HttpResponseForbidden
from django.shortcuts import redirect, render
from django.urls import path


class Comment(models.Model):
    writer = models.ForeignKey(User, on_delete=models.CASCADE)
    text = models.TextField()


class Licence(models.Model):
    holder = models.ForeignKey(User, on_delete=models.CASCADE)
    valid = models.BooleanField(default=True)


@login_required
def revise(request, number):
    if request.method == "POST":
        comment = Comment.objects.get(id=number)
        if comment.writer != request.user:
            return HttpResponseForbidden()
        comment.text = request.POST["text"]
        comment.save()
        return redirect("/")
    else:
        comment = Comment.objects.get(id=number)  # ok: missing-ownership-check
        return render(request, "revise.html", {"comment": comment})


@login_required
def overwrite(request, number):
    if request.method == "POST":
        comment = Comment.objects.get(id=number)  # expect: missing-ownership-check
        comment.text = request.POST["text"]
        comment.save()
        return redirect("/")
    return render(request, "overwrite.html", {"name": request.user.username})


@permission_required("office.withdraw_licence")
def withdraw(request, number):
    licence = Licence.objects.get(id=number)  # ok: missing-ownership-check
    licence.valid = False
    licence.save()
    return redirect("/")


urlpatterns = [
    path("revise/<int:number>", revise), path("overwrite/<int:number>", overwrite), path("withdraw/<int:number>", withdraw),
]  # fmt: skip
