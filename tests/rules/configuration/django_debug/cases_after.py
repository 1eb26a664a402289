INSTALLED_APPS = ["django.contrib.auth", "shop"]
ROOT_URLCONF = "shop.urls"

DEBUG = False  # ok: django-debug

DEBUG = True  # expect: django-debug
