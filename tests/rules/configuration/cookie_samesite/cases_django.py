INSTALLED_APPS = ["django.contrib.sessions", "orders"]
ROOT_URLCONF = "orders.urls"

SESSION_COOKIE_SAMESITE = None  # expect: cookie-samesite
CSRF_COOKIE_SAMESITE = "Lax"  # ok: cookie-samesite
LANGUAGE_COOKIE_SAMESITE = None  # ok: cookie-samesite
