"""Guards of other routers, guards passed as values, and unreadable guards."""

import pytest

from counterproof.analysis.endpoints import entry_points
from counterproof.model.recon import Guard


def guards(project) -> dict[str, Guard]:
    return {each.path: each.guard for each in entry_points(project)}


def test_a_router_that_a_function_mounts_is_not_guarded_by_its_neighbour(make_project) -> None:
    code = """
    from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request

    def check_admin(request: Request):
        if not request.headers.get("Authorization"):
            raise HTTPException(401)

    audit = APIRouter(prefix="/audit", dependencies=[Depends(check_admin)])
    links = APIRouter()

    @audit.get("/all")
    def everything(): ...

    @links.get("/t/{name}")
    def link(name: str): ...

    def mount(app: FastAPI):
        app.include_router(audit)
        app.include_router(links)
    """
    assert guards(make_project({"app.py": code})) == {"/audit/all": Guard.PRESENT, "/t/{name}": Guard.ABSENT}


def test_a_decorator_that_fills_in_a_guard_of_the_framework_is_one(make_project) -> None:
    files = {
        "access.py": """
        from django.contrib.auth.decorators import user_passes_test

        def group_required(*names):
            def belongs(user):
                return user.in_group(names)
            return user_passes_test(belongs)

        def counted(*names):
            return print(names)
        """,
        "views.py": """
        from access import counted, group_required

        @group_required("user")
        def export(request): ...

        @counted("user")
        def show(request): ...
        """,
        "urls.py": """
        from django.urls import path
        import views
        urlpatterns = [path("export/", views.export), path("show/", views.show)]
        """,
        "manage.py": "",
    }
    found = guards(make_project(files))
    assert found["/export/"] is Guard.PRESENT
    assert found["/show/"] is not Guard.PRESENT


def test_a_view_that_is_chosen_at_run_time_leaves_the_question_open(make_project) -> None:
    code = """
    from django.urls import path
    from django.views.static import serve
    from elsewhere import load

    deleted = load("deleted")
    urlpatterns = [path("deleted/", deleted.as_view()), path("media/", serve)]
    """
    found = guards(make_project({"urls.py": code, "manage.py": ""}))
    assert found == {"/deleted/": Guard.UNKNOWN, "/media/": Guard.ABSENT}


def test_an_answer_of_a_check_that_is_handed_on_is_a_refusal(make_project) -> None:
    code = """
    from aiohttp import web

    def check_token(request): ...
    def find_draft(request): ...

    @web.middleware
    async def first(request, handler):
        {0}
        if err is not None:
            return err
        return await handler(request)

    async def remove(request): ...

    app = web.Application(middlewares=[first])
    app.router.add_delete("/x", remove)
    """
    assert guards(make_project({"app.py": code.format("err = check_token(request)")})) == {"/x": Guard.PRESENT}
    assert guards(make_project({"app.py": code.format("err = find_draft(request)")})) == {"/x": Guard.ABSENT}


def test_a_dependency_that_a_variable_holds_is_asked_for(make_project) -> None:
    files = {
        "people.py": """
        from typing import Annotated
        from fastapi import Depends, HTTPException, Request

        def known(request: Request):
            if not request.headers.get("Authorization"):
                raise HTTPException(401)

        def page(request: Request):
            return int(request.query_params.get("page", 1))

        caller = Depends(known)
        counted = Depends(page)
        User = Annotated[str, caller]
        Page = Annotated[int, counted]
        """,
        "app.py": """
        from fastapi import FastAPI
        from people import Page, User

        app = FastAPI()

        @app.get("/mine")
        def mine(user: User): ...

        @app.get("/all")
        def everything(page: Page): ...
        """,
    }
    assert guards(make_project(files)) == {"/mine": Guard.PRESENT, "/all": Guard.ABSENT}


def test_a_dependency_that_is_handed_in_may_refuse(make_project) -> None:
    code = """
    from fastapi import Depends, FastAPI

    app = FastAPI()

    def page():
        return 1

    def routes(caller):
        @app.get("/a")
        def a(claims=Depends(caller)): ...

        @app.get("/b")
        def b(number=Depends(page)): ...
    """
    assert guards(make_project({"app.py": code})) == {"/a": Guard.UNKNOWN, "/b": Guard.ABSENT}


FACTORY = """
from fastapi import Depends, FastAPI, HTTPException, Security
from fastapi.security import APIKeyHeader

class Key(APIKeyHeader):
    pass

def header(key: str = Security(Key(name="Authorization"))):
    if not key.startswith("Token "):
        raise HTTPException(403)
    return key

def lenient(key: str = Security(Key(name="Authorization", auto_error=False))):
    return header(key) if key else ""

def retriever(*, required: bool = True):
    return header if required else lenient

def strict_user(token: str = Depends(retriever())):
    try:
        return users.by_token(token)
    except KeyError:
        raise HTTPException(403)

def any_user(token: str = Depends(retriever(required=False))):
    if token:
        return strict_user(token)
    return None

def caller(*, required: bool = True):
    return strict_user if required else any_user

app = FastAPI()

@app.get("/mine")
def mine(user=Depends(caller())): ...

@app.get("/all")
def everything(user=Depends(caller(required=False))): ...

@app.get("/chosen")
def chosen(user=Depends(caller(required=FLAG))): ...

@app.get("/listed", dependencies=[Depends(caller())])
def listed(): ...
"""


@pytest.mark.rule("A9")
def test_a_dependency_that_a_factory_returns_is_read_as_the_call_chooses_it(make_project) -> None:
    found = guards(make_project({"app.py": FACTORY}))
    assert (found["/mine"], found["/listed"]) == (Guard.PRESENT, Guard.PRESENT)
    assert Guard.PRESENT not in (found["/all"], found["/chosen"])
