from django import forms
from django.contrib.auth.models import User


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
