"""What Django's forms and serialisers let through is followed like the request itself, and into the models that they save."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination

LookAt = Callable[[dict[str, str]], Examination]

MODELS = """
from django.db import models

class Card(models.Model):
    note = models.TextField()
    size = models.IntegerField()

class Line(models.Model):
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="lines")
    text = models.TextField()
"""

FORMS = """
from django import forms
from .models import Card, Line

class Search(forms.Form):
    word = forms.CharField()
    number = forms.IntegerField()
    kind = forms.ChoiceField(choices=[("a", "a")])
    code = forms.CharField()

    def clean_code(self):
        return checked(self.cleaned_data["code"])

class CardForm(forms.ModelForm):
    class Meta:
        model = Card
        fields = ["note", "size"]

class LineForm(forms.ModelForm):
    class Meta:
        model = Line
        fields = "__all__"
"""

VIEWS = """
import os
from django.contrib.auth.models import User
from django.shortcuts import redirect, render
from django.views.generic import FormView
from .forms import CardForm, LineForm, Search
from .models import Card

def run(request):
    form = Search(request.GET)
    if form.is_valid():
        os.system("echo " + {value})
    return redirect("/")

class Run(FormView):
    form_class = Search

    def form_valid(self, form):
        os.system("echo " + str({value}))
        return redirect("/")

def add(request):
    form = CardForm(request.POST)
    if form.is_valid():
        form.save()
    return redirect("/")

def add_line(request):
    line = LineForm(request.POST).save(commit=False)
    line.save()
    return redirect("/")

def rename(request):
    request.user.first_name = request.POST["name"]
    request.user.save()
    return redirect("/")

def preview(request):
    return render(request, "page.html", {{"card": CardForm(request.POST).instance}})

def show(request, pk):
    return render(request, "page.html", {{"card": Card.objects.get(pk=pk), "people": User.objects.all()}})
"""

URLS = """
from django.urls import path
from . import views

urlpatterns = [
    path("run", views.run), path("run2", views.Run.as_view()), path("add", views.add), path("line", views.add_line),
    path("name", views.rename), path("show/<int:pk>", views.show),
]
"""


def project(value: str = "'x'", page: str = "", **changed: str) -> dict[str, str]:
    files = {"models.py": MODELS, "forms.py": FORMS, "views.py": VIEWS.format(value=value), "urls.py": URLS} | changed
    return {f"cards/{name}": text for name, text in files.items()} | {"cards/templates/page.html": page}


@pytest.mark.parametrize("value", ["form.cleaned_data['word']", "form.cleaned_data.get('word')", "form.data['number']"])
def test_text_that_a_form_lets_through_is_the_senders(look_at: LookAt, value: str) -> None:
    found = look_at(project(value)).findings
    assert [(each.rule, each.location.start) for each in found] == [("command-injection", 12), ("command-injection", 19)]


@pytest.mark.parametrize("name", ["number", "kind", "code"])
def test_numbers_choices_and_checked_fields_are_not(look_at: LookAt, name: str) -> None:
    assert not look_at(project(f"form.cleaned_data['{name}']")).findings


RAW = {
    "saved by a form": "{{ card.note|safe }}",
    "under its related name": "{% for line in card.lines.all %}{{ line.text|safe }}{% endfor %}",
    "under its default name": "{% for line in card.line_set.all %}{{ line.text|safe }}{% endfor %}",
    "account": "{% for one in people %}{{ one.first_name|safe }}{% endfor %}",
}
NOT_RAW = {
    "number": "{{ card.size|safe }}",
    "escaped": "{{ card.note }}",
    "a field that nobody writes": "{% for one in people %}{{ one.last_name|safe }}{% endfor %}",
    "key": "{% for line in card.lines.all %}{{ line.card_id|safe }}{% endfor %}",
}


@pytest.mark.parametrize("page", RAW.values(), ids=RAW.keys())
def test_what_a_form_saves_is_followed_to_the_page_that_shows_it(look_at: LookAt, page: str) -> None:
    found = look_at(project(page=page)).findings
    assert {(each.rule, each.location.path) for each in found} == {("xss", "cards/templates/page.html")}


@pytest.mark.parametrize("page", NOT_RAW.values(), ids=NOT_RAW.keys())
def test_other_fields_are_left_alone(look_at: LookAt, page: str) -> None:
    assert not look_at(project(page=page)).findings


SERIALISER = """
import os
from rest_framework import serializers
from rest_framework.views import APIView

class Order(serializers.Serializer):
    word = serializers.CharField()
    number = serializers.IntegerField()

class Orders(APIView):
    def post(self, request):
        order = Order(data=request.data)
        order.is_valid(raise_exception=True)
        os.system("echo " + str({value}))
"""


@pytest.mark.parametrize(
    ("value", "count"),
    [("order.validated_data['word']", 1), ("order.validated_data['number']", 0)],
)
def test_serialisers_are_read_like_forms(look_at: LookAt, value: str, count: int) -> None:
    assert len(look_at({"api.py": SERIALISER.format(value=value)}).findings) == count
