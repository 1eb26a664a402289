import os

INSTALLED_APPS = ["django.contrib.auth", "shop"]
ROOT_URLCONF = "shop.urls"

DEBUG = True  # expect: django-debug

TEMPLATE_DEBUG = False  # ok: django-debug

if os.environ.get("DEVELOPER"):
    DEBUG = True  # ok: django-debug


def toolbar_for(request):  # expect: django-debug
    return bool(request.GET.get("trace"))


DEBUG_TOOLBAR_CONFIG = {"SHOW_TOOLBAR_CALLBACK": "cases.toolbar_for"}
