import os

INSTALLED_APPS = ["django.contrib.auth", "shop"]
ROOT_URLCONF = "shop.urls"

DEBUG = os.environ.get("DJANGO_DEBUG", True)  # expect: django-debug
