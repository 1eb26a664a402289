from django import forms
from django.contrib import admin
from django.contrib.auth.models import User


class StaffForm(forms.ModelForm):
    class Meta:
        model = User
        exclude = ()  # ok: mass-assignment

    def clean(self):
        return super(StaffForm, self).clean()


class UserAdmin(admin.ModelAdmin):
    form = StaffForm


class SharedForm(forms.ModelForm):
    class Meta:
        model = User
        exclude = ()  # expect: mass-assignment


class OtherAdmin(admin.ModelAdmin):
    form = SharedForm


def register(request):
    return SharedForm(request.POST)
