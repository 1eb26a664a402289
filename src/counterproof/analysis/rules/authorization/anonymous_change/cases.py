from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path


class Album(models.Model):
    keeper = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    title = models.CharField(max_length=80)


class Picture(models.Model):
    album = models.ForeignKey(Album, on_delete=models.CASCADE)
    caption = models.CharField(max_length=80)


class Country(models.Model):
    name = models.CharField(max_length=80)
    fans = models.ManyToManyField(User)


def show(request):
    return HttpResponse(request.user.username)


def rename(request, album_id):
    album = Album.objects.get(pk=album_id)  # expect: anonymous-change
    album.title = request.POST["title"]
    album.save()
    return redirect("/albums/" + album_id)


def drop(request, picture_id):
    picture = get_object_or_404(Picture, pk=picture_id)  # expect: anonymous-change
    picture.delete()
    return redirect("/albums/")


def take_over(request, user_id):
    user = User.objects.get(pk=user_id)  # expect: anonymous-change
    user.email = request.POST["email"]
    user.save()
    return redirect("/")


def look(request, album_id):
    album = Album.objects.get(pk=album_id)  # ok: anonymous-change
    return HttpResponse(album.title)


def visit(request, country_id):
    country = Country.objects.get(pk=country_id)  # ok: anonymous-change
    country.visits += 1
    country.save()
    return HttpResponse(country.name)


def own(request, album_id):
    album = Album.objects.get(pk=album_id)  # ok: anonymous-change
    if album.keeper != request.user:
        return HttpResponse(status=404)
    album.delete()
    return redirect("/albums/")


def by_link(request, share_token):
    album = Album.objects.get(share_token=share_token)  # ok: anonymous-change
    album.views += 1
    album.save()
    return HttpResponse(album.title)


def of_caller(request, album_id):
    album = Album.objects.get(pk=album_id, keeper_id=request.user.id)  # ok: anonymous-change
    album.delete()
    return redirect("/albums/")


urlpatterns = [
    path("show", show),
    path("albums/<int:album_id>/rename", rename),
    path("pictures/<int:picture_id>/drop", drop),
    path("people/<int:user_id>", take_over),
    path("albums/<int:album_id>", look),
    path("countries/<int:country_id>", visit),
    path("albums/<int:album_id>/own", own),
    path("shared/<str:share_token>", by_link),
    path("albums/<int:album_id>/remove", of_caller),
]
