import click
from fastapi import FastAPI, HTTPException, Request

app = FastAPI()
tools = click.Group()


@app.get("/wiki")
def written(request: Request):
    try:
        return write(request)
    except Exception as error:
        if request.user.is_superuser:
            return {"error": str(error)}  # ok: error-details
        return {"error": "not written"}


@app.get("/wiki/all")
def all_written(request: Request):
    try:
        return write(request)
    except Exception as error:
        if not request.user.is_superuser:
            return {"error": str(error)}  # expect: error-details
        return {}


@app.get("/install")
def install(request: Request):
    try:
        return write(request)
    except Exception as error:
        detail = str(error) if isinstance(error, AssertionError) else "not installed"
        raise HTTPException(500, detail=detail)  # ok: error-details


@app.get("/raised")
def raised(request: Request):
    try:
        return write(request)
    except Exception as error:  # ok: error-details
        raise error
        return {"error": str(error)}


@tools.command("uninstall")
def uninstall(name):
    try:
        return write(name)
    except Exception as error:
        return False, str(error)  # ok: error-details


@app.get("/either")
def either(request: Request):
    message = ""
    try:
        write(request)
    except KeyError as error:
        message = str(error)
    except OSError as error:
        message = repr(error)
    return {"message": message}  # expect: error-details


@app.get("/both")
def both(request: Request):
    message = ""
    try:
        if not request.query_params:
            raise ValueError("nothing to do")
        write(request)
    except ValueError as error:
        message = str(error)
    except Exception as error:
        message = str(error)
    return {"message": message}  # expect: error-details
