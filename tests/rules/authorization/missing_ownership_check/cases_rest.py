from django.contrib.auth.models import User
from django.db import models
from django.urls import path
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import IsAdminUser, IsAuthenticated
from rest_framework.response import Response


class Invoice(models.Model):
    billed_to = models.ForeignKey(User, on_delete=models.CASCADE)


class Line(models.Model):
    invoice = models.ForeignKey("Invoice", on_delete=models.CASCADE)


class Rate(models.Model):
    updated_by = models.ForeignKey(User, on_delete=models.CASCADE)


@api_view(["GET"])
@permission_classes([IsAuthenticated])
def invoice(request, invoice_id):
    found = Invoice.objects.get(pk=invoice_id)  # expect: missing-ownership-check
    return Response({"total": found.total, "viewer": request.user.username})


@api_view(["GET"])
@permission_classes([IsAuthenticated])
def line(request, line_id):
    return Response({"text": Line.objects.get(pk=line_id).text})  # expect: missing-ownership-check


@api_view(["GET"])
@permission_classes([IsAuthenticated])
def rate(request, rate_id):
    return Response({"rate": Rate.objects.get(pk=rate_id).value})  # ok: missing-ownership-check


@api_view(["GET"])
@permission_classes([IsAdminUser])
def any_invoice(request, invoice_id):
    return Response({"total": Invoice.objects.get(pk=invoice_id).total})  # ok: missing-ownership-check


@api_view(["GET"])
@permission_classes([IsAuthenticated])
def own_invoice(request, invoice_id):
    found = Invoice.objects.get(pk=invoice_id)  # ok: missing-ownership-check
    if found.billed_to_id != request.user.id:
        return Response(status=404)
    return Response({"total": found.total})


urlpatterns = [
    path("invoices/<int:invoice_id>", invoice),
    path("lines/<int:line_id>", line),
    path("rates/<int:rate_id>", rate),
    path("all/<int:invoice_id>", any_invoice),
    path("own/<int:invoice_id>", own_invoice),
]
