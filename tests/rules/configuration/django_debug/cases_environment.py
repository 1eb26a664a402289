import os

INSTALLED_APPS = ["django.contrib.auth", "shop"]
ROOT_URLCONF = "shop.urls"

DEBUG = bool(int(os.environ["DJANGO_DEBUG"]))  # ok: django-debug
