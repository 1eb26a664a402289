"""Django: URL configurations down to views, and every kind of guard."""

import pytest

from counterproof.analysis.endpoints import entry_points
from counterproof.model.recon import EntryKind, EntryPoint, Guard

FILES = {
    "site/settings.py": """
        INSTALLED_APPS = ["shop"]
        ROOT_URLCONF = "site.urls"
        MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware", "site.middleware.Timing"]
        REST_FRAMEWORK = {"DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"]}
    """,
    "site/middleware.py": """
        class Timing:
            def __call__(self, request):
                return self.get_response(request)
    """,
    "site/urls.py": """
        from django.contrib import admin
        from django.contrib.auth.decorators import login_required
        from django.urls import include, path, re_path
        from django.views.generic import TemplateView
        from shop import views

        urlpatterns = [
            path("", TemplateView.as_view(template_name="home.html")),
            path("admin/", admin.site.urls),
            path("shop/", include("shop.urls")),
        ] + [re_path(r"^old/(?P<id>\\d+)$", login_required(views.old))]
    """,
    "shop/__init__.py": "",
    "shop/urls.py": """
        from django.urls import include, path
        from rest_framework.routers import DefaultRouter
        from shop import views

        router = DefaultRouter()
        router.register("orders", views.OrderSet)
        urlpatterns = [
            path("list", views.listing),
            path("edit/<int:id>", views.Edit.as_view()),
            path("mine", views.Mine.as_view()),
            path("ping", views.ping),
            path("api/", include(router.urls)),
        ]
        urlpatterns += [path("loop/", include("site.urls"))]
    """,
    "shop/views.py": """
        from django.contrib.auth.decorators import login_required
        from django.contrib.auth.mixins import LoginRequiredMixin
        from django.utils.decorators import method_decorator
        from django.views import View
        from django.views.decorators.http import require_POST
        from rest_framework import permissions, viewsets
        from rest_framework.decorators import action, api_view, permission_classes

        def old(request, id): return id

        @require_POST
        def listing(request): return request

        class Edit(LoginRequiredMixin, View):
            def get(self, request, id): return id
            def post(self, request, id): return id

        @method_decorator(login_required, name="dispatch")
        class Mine(View):
            def get(self, request): return request

        @api_view(["GET"])
        @permission_classes([permissions.AllowAny])
        def ping(request): return request

        class OrderSet(viewsets.ModelViewSet):
            def list(self, request): return request
            @action(detail=True, methods=["post"])
            def pay(self, request, pk): return pk
    """,
    "shop/management/commands/tidy.py": "class Command:\n    def handle(self, *args, **options):\n        pass\n",
}


@pytest.fixture
def found(make_project) -> dict[tuple[str, str], EntryPoint]:
    return {(each.method, each.path): each for each in entry_points(make_project(FILES))}


@pytest.mark.rule("A9")
@pytest.mark.parametrize(
    ("method", "path", "name", "guard"),
    [
        ("GET", "/", "django.views.generic.TemplateView", Guard.ABSENT),
        ("ANY", "/admin/", "django.contrib.admin", Guard.PRESENT),
        ("ANY", "/old/(?P<id>\\d+)", "old", Guard.PRESENT),
        ("POST", "/shop/list", "listing", Guard.ABSENT),
        ("GET", "/shop/edit/<int:id>", "Edit.get", Guard.PRESENT),
        ("POST", "/shop/edit/<int:id>", "Edit.post", Guard.PRESENT),
        ("GET", "/shop/mine", "Mine.get", Guard.PRESENT),
        ("GET", "/shop/ping", "ping", Guard.ABSENT),
        ("GET", "/shop/api/orders/", "OrderSet.list", Guard.PRESENT),
        ("POST", "/shop/api/orders/<pk>/pay/", "OrderSet.pay", Guard.PRESENT),
        ("DELETE", "/shop/api/orders/<pk>/", "OrderSet", Guard.PRESENT),
        ("command", "tidy", "Command.handle", Guard.UNKNOWN),
    ],
)
def test_routes(found, method: str, path: str, name: str, guard: Guard) -> None:
    entry = found[method, path]
    assert (entry.name, entry.guard) == (name, guard)


def test_nothing_else_is_found_and_cycles_end(found) -> None:
    assert len([each for each in found.values() if each.kind is EntryKind.HTTP]) == 15


@pytest.mark.rule("A9")
@pytest.mark.parametrize(
    ("middleware", "guard"),
    [
        ("django.contrib.auth.middleware.LoginRequiredMiddleware", Guard.PRESENT),
        ("unknown.package.Gate", Guard.UNKNOWN),
        ("whitenoise.middleware.WhiteNoiseMiddleware", Guard.ABSENT),
        ("site.gate.Gate", Guard.PRESENT),
    ],
)
def test_middleware_speaks_for_every_view(make_project, middleware: str, guard: Guard) -> None:
    files = {
        "site/settings.py": f'INSTALLED_APPS = []\nROOT_URLCONF = "site.urls"\nMIDDLEWARE = ["{middleware}"]\n',
        "site/gate.py": """
            from django.core.exceptions import PermissionDenied
            class Gate:
                def process_request(self, request):
                    if not request.user.is_authenticated:
                        raise PermissionDenied()
        """,
        "site/urls.py": "from django.urls import path\ndef view(request): return 1\nurlpatterns = [path('x', view)]\n",
    }
    (entry,) = entry_points(make_project(files))
    assert entry.guard is guard


@pytest.mark.rule("A9")
@pytest.mark.parametrize(
    ("body", "guard"),
    [
        ('return request.method in ("GET", "DELETE")', Guard.ABSENT),
        ("return bool(request.user and request.user.is_authenticated)", Guard.PRESENT),
        ("return view.team in request.user.teams", Guard.UNKNOWN),
        ("if request.method in SAFE_METHODS:\n            return True\n        return request.user.is_staff", Guard.UNKNOWN),
    ],
)
def test_permission_classes_of_the_project_are_read(make_project, body: str, guard: Guard) -> None:
    files = {
        "site/settings.py": 'INSTALLED_APPS = []\nROOT_URLCONF = "site.urls"\n',
        "site/urls.py": 'from django.urls import path\nfrom site import views\nurlpatterns = [path("x", views.x)]\n',
        "site/views.py": f"""
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import BasePermission, SAFE_METHODS

class Mine(BasePermission):
    def has_permission(self, request, view):
        {body}

@api_view(["DELETE"])
@permission_classes([Mine])
def x(request): return request
""",
    }
    (entry,) = [each for each in entry_points(make_project(files)) if each.kind is EntryKind.HTTP]
    assert entry.guard is guard


NAMED = """from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.views.generic import DetailView, UpdateView

class Shown(LoginRequiredMixin, DetailView): pass
class Changed(UpdateView): pass
class Free(DetailView): pass

shown = Shown.as_view()
changed = login_required(Changed.as_view())
free = Free.as_view()
"""


@pytest.mark.rule("A9")
def test_a_view_that_a_variable_names_keeps_the_guards_of_its_class(make_project) -> None:
    files = {
        "site/settings.py": 'INSTALLED_APPS = []\nROOT_URLCONF = "site.urls"\n',
        "site/urls.py": "from django.urls import path\nfrom .views import shown, changed, free\n"
        'urlpatterns = [path("s", shown), path("c", view=changed), path("f", free)]\n',
        "site/views.py": NAMED,
    }
    found = [each for each in entry_points(make_project(files)) if each.kind is EntryKind.HTTP]
    assert sorted((each.path, each.name, each.guard) for each in found) == [
        ("/c", "Changed", Guard.PRESENT),
        ("/f", "Free", Guard.ABSENT),
        ("/s", "Shown", Guard.PRESENT),
    ]
