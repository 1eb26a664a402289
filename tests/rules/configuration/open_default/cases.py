from rest_framework.permissions import AllowAny, IsAuthenticated

REST_FRAMEWORK = {
    "DEFAULT_PERMISSION_CLASSES": ("rest_framework.permissions.AllowAny",),  # expect: open-default
    "PAGE_SIZE": 20,
}

CLOSED = {
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],  # ok: open-default
}

BY_NAME = {"DEFAULT_PERMISSION_CLASSES": [AllowAny]}  # expect: open-default
BOTH = {"DEFAULT_PERMISSION_CLASSES": [IsAuthenticated, AllowAny]}  # ok: open-default
OTHER = dict(DEFAULT_PERMISSION_CLASSES=["rest_framework.permissions.AllowAny"])  # expect: open-default
LISTED = {"DEFAULT_PERMISSION_CLASSES": ["api.permissions.Members"]}  # ok: open-default


class Api:
    DEFAULT_PERMISSION_CLASSES = ["rest_framework.permissions.AllowAny"]  # expect: open-default
    DEFAULT_THROTTLE_CLASSES = []  # ok: open-default
