from django.contrib.auth.models import User
from django.core import serializers as core
from django.db import models
from django.http import HttpResponse
from django.urls import path
from rest_framework import serializers


class Member(models.Model):
    name = models.CharField(max_length=80)
    password = models.CharField(max_length=80)


class Badge(models.Model):
    name = models.CharField(max_length=80)


class MemberSerializer(serializers.ModelSerializer):
    class Meta:
        model = Member
        fields = ("name", "password")  # expect: exposed-field


class UnusedSerializer(serializers.ModelSerializer):
    class Meta:
        model = Member
        fields = ("name", "password")  # ok: exposed-field


class JoinSerializer(serializers.ModelSerializer):
    class Meta:
        model = Member
        fields = ("name", "password")  # ok: exposed-field
        extra_kwargs = {"password": {"write_only": True}}


class NewSerializer(serializers.ModelSerializer):
    password = serializers.CharField(write_only=True)

    class Meta:
        model = Member
        fields = ("name", "password")  # ok: exposed-field


def members(request):
    return HttpResponse(core.serialize("json", Member.objects.all()))  # expect: exposed-field


def accounts(request):
    return HttpResponse(core.serialize("json", User.objects.filter(is_active=True)))  # expect: exposed-field


def names(request):
    return HttpResponse(core.serialize("json", Member.objects.all(), fields=("name",)))  # ok: exposed-field


def badges(request):
    return HttpResponse(core.serialize("json", Badge.objects.all()))  # ok: exposed-field


def used(request):
    return HttpResponse(str(MemberSerializer().data) + str(JoinSerializer().data) + str(NewSerializer().data))


urlpatterns = [path("m", members), path("a", accounts), path("n", names), path("b", badges), path("u", used)]
