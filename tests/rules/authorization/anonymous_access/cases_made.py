from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import models
from django.shortcuts import redirect, render
from django.urls import path


class Contract(models.Model):
    owner = models.ForeignKey(User, on_delete=models.CASCADE)
    title = models.CharField(max_length=80)


class Enquiry(models.Model):
    text = models.TextField()


class ContractForm(forms.ModelForm):
    class Meta:
        model = Contract
        fields = ["owner", "title"]


@login_required
def contracts(request):
    return render(request, "contracts.html", {"contracts": Contract.objects.filter(owner=request.user)})  # ok: anonymous-access


def make(request):
    form = ContractForm(request.POST)  # expect: anonymous-access
    if form.is_valid():
        form.save()
    return redirect("/")


def make_by_hand(request):
    Contract.objects.create(owner=find(request.POST["owner"]), title=request.POST["title"])  # expect: anonymous-access
    return redirect("/")


def make_own(request):
    Contract.objects.create(owner=request.user, title=request.POST["title"])  # ok: anonymous-access
    return redirect("/")


def register(request):
    Contract.objects.create(owner=User.objects.create_user(request.POST["name"]), title="terms")  # ok: anonymous-access
    return redirect("/")


def enquire(request):
    Enquiry.objects.create(text=request.POST["text"])  # ok: anonymous-access
    return redirect("/")


urlpatterns = [
    path("contracts", contracts),
    path("make", make),
    path("make/by-hand", make_by_hand),
    path("make/own", make_own),
    path("register", register),
    path("enquire", enquire),
]
