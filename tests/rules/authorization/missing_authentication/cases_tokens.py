import jwt
from fastapi import FastAPI

from keys import KEY, access_token, checked

app = FastAPI()


@app.get("/token-for/{name}")
def token_for(name: str):  # expect: missing-authentication
    return {"token": jwt.encode({"sub": name}, KEY, algorithm="HS256")}


@app.post("/enter/{name}")
def enter(name: str):  # expect: missing-authentication
    return {"token": access_token.create_access_token(name)}


@app.post("/log-in/{name}")
def log_in(name: str, password: str):  # ok: missing-authentication
    if not checked(name, password):
        return {}
    return {"token": jwt.encode({"sub": name}, KEY, algorithm="HS256")}


@app.post("/confirm/{name}/{code}")
def confirm(name: str, code: str):  # ok: missing-authentication
    return {"token": jwt.encode({"sub": name, "code": code}, KEY, algorithm="HS256")}


@app.get("/upload-slot/{name}")
def upload_slot(name: str):  # ok: missing-authentication
    return {"slot": access_token.create_upload_token(name)}
