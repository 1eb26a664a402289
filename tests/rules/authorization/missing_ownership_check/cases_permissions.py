from django.contrib.auth.mixins import LoginRequiredMixin, PermissionRequiredMixin
from django.contrib.auth.models import User
from django.db import models
from django.urls import path
from django.views.generic import DetailView


class Timesheet(models.Model):
    user = models.ForeignKey(User, on_delete=models.CASCADE)


class AnySheet(LoginRequiredMixin, DetailView):
    model = Timesheet  # expect: missing-ownership-check


class SheetOfStaff(PermissionRequiredMixin, DetailView):
    model = Timesheet  # ok: missing-ownership-check
    permission_required = ("work.view_timesheet",)


class OwnSheet(LoginRequiredMixin, DetailView):
    model = Timesheet  # ok: missing-ownership-check

    def get_queryset(self):
        return Timesheet.objects.filter(user=self.request.user)


urlpatterns = [
    path("any/<int:pk>", AnySheet.as_view()),
    path("staff/<int:pk>", SheetOfStaff.as_view()),
    path("own/<int:pk>", OwnSheet.as_view()),
]
