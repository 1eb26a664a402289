from django.shortcuts import render
from django.urls import path


def looked_up(request):
    return render(request, "cases_called.html", {"word": request.GET["word"]})


urlpatterns = [path("looked-up", looked_up)]
