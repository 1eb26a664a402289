from django.urls import include, path

urlpatterns = [
    path("members/", include("django.contrib.auth.urls")),  # expect: login-limit
    path("pages/", include("pages.urls")),  # ok: login-limit
]
