from django.db import connection, models
from django.shortcuts import redirect, render
from django.urls import path


class Greeting(models.Model):
    words = models.TextField()
    sent = models.DateTimeField(auto_now_add=True)


def greet(request):
    greeting = Greeting(words=request.POST["words"])
    greeting.save()
    return redirect("/")


def wall(request):
    context = {}
    context["greetings"] = Greeting.objects.all().order_by("-sent")
    return render(request, "cases_ordered.html", context)


def as_mappings(cursor):
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def one(request, number):
    cursor = connection.cursor()
    cursor.execute("SELECT * FROM hall_greeting WHERE id = %s", [number])
    return render(request, "cases_one.html", {"greeting": as_mappings(cursor)[0]})


urlpatterns = [path("greet", greet), path("wall", wall), path("one/<int:number>", one)]
