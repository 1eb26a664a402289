from django.contrib.auth.mixins import LoginRequiredMixin, UserPassesTestMixin
from django.urls import path
from django.views.generic import DeleteView, DetailView

from shop.models import Flat


class FlatDelete(DeleteView):  # expect: unguarded-destruction
    model = Flat
    success_url = "/"

    def get_context_data(self, **kwargs):
        return super().get_context_data(title="Delete", **kwargs)


class OwnFlatDelete(DeleteView):  # ok: unguarded-destruction
    model = Flat

    def get_queryset(self):
        return Flat.objects.filter(owner=self.request.user)


class GuardedDelete(LoginRequiredMixin, DeleteView):  # ok: unguarded-destruction
    model = Flat


class TestedDelete(UserPassesTestMixin, DeleteView):  # ok: unguarded-destruction
    model = Flat

    def test_func(self):
        return self.request.user.is_staff


class FlatDetail(DetailView):  # ok: unguarded-destruction
    model = Flat


urlpatterns = [
    path("flat/<int:pk>/delete", FlatDelete.as_view()),
    path("own/<int:pk>/delete", OwnFlatDelete.as_view()),
    path("guarded/<int:pk>/delete", GuardedDelete.as_view()),
    path("tested/<int:pk>/delete", TestedDelete.as_view()),
    path("flat/<int:pk>", FlatDetail.as_view()),
]
