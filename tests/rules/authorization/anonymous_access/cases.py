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


class Attachment(models.Model):
    album = models.ForeignKey(Album, on_delete=models.CASCADE)


def show(request):
    return HttpResponse(request.user.username)


def rename(request, album_id):
    album = Album.objects.get(pk=album_id)  # expect: anonymous-access
    album.title = request.POST["title"]
    album.save()
    return redirect("/albums/" + album_id)


def drop(request, picture_id):
    picture = get_object_or_404(Picture, pk=picture_id)  # expect: anonymous-access
    picture.delete()
    return redirect("/albums/")


def take_over(request, user_id):
    user = User.objects.get(pk=user_id)  # expect: anonymous-access
    user.email = request.POST["email"]
    user.save()
    return redirect("/")


def look(request, album_id):
    album = Album.objects.get(pk=album_id)  # ok: anonymous-access
    return HttpResponse(album.title)


def attached(request, attachment_id):
    attachment = Attachment.objects.get(pk=attachment_id)  # expect: anonymous-access
    return HttpResponse(attachment.content)


def visit(request, country_id):
    country = Country.objects.get(pk=country_id)  # ok: anonymous-access
    country.visits += 1
    country.save()
    return HttpResponse(country.name)


def own(request, album_id):
    album = Album.objects.get(pk=album_id)  # ok: anonymous-access
    if album.keeper != request.user:
        return HttpResponse(status=404)
    album.delete()
    return redirect("/albums/")


def by_link(request, share_token):
    album = Album.objects.get(share_token=share_token)  # ok: anonymous-access
    album.views += 1
    album.save()
    return HttpResponse(album.title)


def of_caller(request, album_id):
    album = Album.objects.get(pk=album_id, keeper_id=request.user.id)  # ok: anonymous-access
    album.delete()
    return redirect("/albums/")


urlpatterns = [
    path("show", show),
    path("albums/<int:album_id>/rename", rename),
    path("pictures/<int:picture_id>/drop", drop),
    path("people/<int:user_id>", take_over),
    path("albums/<int:album_id>", look),
    path("attachments/<int:attachment_id>", attached),
    path("countries/<int:country_id>", visit),
    path("albums/<int:album_id>/own", own),
    path("shared/<str:share_token>", by_link),
    path("albums/<int:album_id>/remove", of_caller),
]
