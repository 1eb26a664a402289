from django import forms
from django.contrib.auth.models import User
from django.urls import path


class OpenForm(forms.ModelForm):
    class Meta:
        model = User
        exclude = ["groups", "last_login"]  # expect: mass-assignment


class WholeForm(forms.ModelForm):
    class Meta:
        model = User
        fields = "__all__"  # expect: mass-assignment


class ClosedForm(forms.ModelForm):
    class Meta:
        model = User
        exclude = ["groups", "is_staff", "is_superuser", "user_permissions"]  # ok: mass-assignment


class ListedForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ("username", "email")  # ok: mass-assignment


def change(request, number):
    user, form = User.objects.get(pk=number), ListedForm(request.POST)
    for name, value in form.cleaned_data.items():
        setattr(user, name, value)  # ok: mass-assignment
    for name, value in request.POST.items():
        setattr(user, name, value)  # expect: mass-assignment
    user.save()


urlpatterns = [path("users/<int:number>/change", change)]
