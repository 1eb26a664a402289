import subprocess

from fastapi import FastAPI

app = FastAPI()


def measured(host):
    try:
        return {"text": subprocess.run(["ping", host], capture_output=True, timeout=3).stdout}
    except Exception as error:
        return {"failed": str(error)}  # expect: error-details


def counted(host):
    try:
        return {"text": len(host)}
    except Exception as error:
        return {"failed": str(error)}  # ok: error-details


@app.get("/measure")
async def measure(host: str):
    result = measured(host)
    return result


@app.get("/count")
async def count(host: str):
    return {"ok": "text" in counted(host)}
