from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import models
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path


class Reminder(models.Model):
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    text = models.CharField(max_length=80)


class Holiday(models.Model):
    day = models.DateField()


@login_required
def everything(request):
    return render(request, "all.html", {"reminders": Reminder.objects.all()})  # expect: missing-ownership-check


@login_required
def own(request):
    return render(request, "all.html", {"reminders": Reminder.objects.filter(user=request.user)})  # ok: missing-ownership-check


@login_required
def drop(request, pk):
    get_object_or_404(Reminder, pk=pk, user=request.user).delete()  # ok: missing-ownership-check
    return redirect("/")


@login_required
def holidays(request):
    return render(request, "days.html", {"days": Holiday.objects.all()})  # ok: missing-ownership-check


urlpatterns = [path("all", everything), path("own", own), path("drop/<int:pk>", drop), path("days", holidays)]
