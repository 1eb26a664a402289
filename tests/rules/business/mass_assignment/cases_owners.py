from django import forms
from django.contrib.auth.models import User
from django.db import models


class Diary(models.Model):
    author = models.ForeignKey(User, on_delete=models.CASCADE)
    text = models.TextField()


class Parcel(models.Model):
    customer = models.ForeignKey(User, on_delete=models.CASCADE)
    weight = models.IntegerField()


class Country(models.Model):
    name = models.CharField(max_length=80)


class DiaryForm(forms.ModelForm):
    class Meta:
        model = Diary
        fields = "__all__"  # expect: mass-assignment


class TextForm(forms.ModelForm):
    class Meta:
        model = Diary
        fields = ["text"]  # ok: mass-assignment


class ParcelForm(forms.ModelForm):
    class Meta:
        model = Parcel
        fields = "__all__"  # ok: mass-assignment


class CountryForm(forms.ModelForm):
    class Meta:
        model = Country
        fields = "__all__"  # ok: mass-assignment


def send(request):
    parcel = ParcelForm(request.POST).save(commit=False)
    parcel.customer = request.user
    parcel.author = request.user
    parcel.save()


def write(request):
    return DiaryForm(request.POST).save()
