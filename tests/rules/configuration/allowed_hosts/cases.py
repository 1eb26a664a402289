import os

INSTALLED_APPS = ["django.contrib.sessions"]
ROOT_URLCONF = "shop.urls"

ALLOWED_HOSTS = ["*"]  # expect: allowed-hosts
ALLOWED_HOSTS = ("www.shop.example", "*")  # expect: allowed-hosts
ALLOWED_HOSTS = ["www.shop.example"]  # ok: allowed-hosts
ALLOWED_HOSTS = "*"  # expect: allowed-hosts
ALLOWED_HOSTS = []  # ok: allowed-hosts
ALLOWED_HOSTS = os.environ["HOSTS"].split(",")  # ok: allowed-hosts

if os.environ.get("DEVELOPER"):
    ALLOWED_HOSTS = ["*"]  # ok: allowed-hosts
