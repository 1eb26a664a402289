from django.contrib.auth.models import User
from django.db import models
from django.forms.models import model_to_dict
from django.http import JsonResponse
from django.urls import path
from rest_framework import serializers, viewsets


class Patient(models.Model):
    name = models.CharField(max_length=80)
    ssn = models.CharField(max_length=20)


class Ward(models.Model):
    name = models.CharField(max_length=80)


class PatientSerializer(serializers.ModelSerializer):
    class Meta:
        model = Patient
        fields = "__all__"  # expect: exposed-field


class WardSerializer(serializers.ModelSerializer):
    class Meta:
        model = Ward
        fields = "__all__"  # ok: exposed-field


class Patients(viewsets.ReadOnlyModelViewSet):
    queryset = Patient.objects.all()
    serializer_class = PatientSerializer


class Wards(viewsets.ReadOnlyModelViewSet):
    queryset = Ward.objects.all()
    serializer_class = WardSerializer


def people(request):
    return JsonResponse(list(User.objects.values()), safe=False)  # expect: exposed-field


def patients(request):
    rows = list(Patient.objects.filter(name=request.GET["name"]).values())  # expect: exposed-field
    return JsonResponse({"rows": rows})


def patient(request, pk):
    found = Patient.objects.get(pk=pk)
    return JsonResponse(model_to_dict(found))  # expect: exposed-field


def names(request):
    return JsonResponse(list(User.objects.values("username")), safe=False)  # ok: exposed-field


def wards(request):
    return JsonResponse(list(Ward.objects.values()), safe=False)  # ok: exposed-field


def counted(request):
    rows = list(User.objects.values())  # ok: exposed-field
    audit(rows)
    return JsonResponse({})


urlpatterns = [
    path("people", people), path("patients", patients), path("patient/<int:pk>", patient), path("names", names),
    path("wards", wards), path("counted", counted), path("all", Patients.as_view({"get": "list"})),
    path("all/wards", Wards.as_view({"get": "list"})),
]  # fmt: skip
