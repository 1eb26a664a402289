import os

INSTALLED_APPS = ["django.contrib.auth", "shop"]
ROOT_URLCONF = "shop.urls"

DEBUG = True  # ok: django-debug

DEBUG = os.environ.get("DJANGO_DEBUG", "0") == "1"  # ok: django-debug
