from django.views.decorators.clickjacking import xframe_options_deny, xframe_options_exempt

INSTALLED_APPS = ["django.contrib.sessions"]
ROOT_URLCONF = "shop.urls"
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    # "django.middleware.clickjacking.XFrameOptionsMiddleware",  expect: frame-options
]

X_FRAME_OPTIONS = "ALLOWALL"  # expect: frame-options
X_FRAME_OPTIONS = "DENY"  # ok: frame-options
X_FRAME_OPTIONS = "SAMEORIGIN"  # ok: frame-options


@xframe_options_exempt  # expect: frame-options
def widget(request):
    return request


@xframe_options_deny  # ok: frame-options
def settings(request):
    return request
