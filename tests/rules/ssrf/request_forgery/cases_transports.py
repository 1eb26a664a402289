import ipaddress
import socket

import httpx
from fastapi import FastAPI

app = FastAPI()


class Careful(httpx.AsyncBaseTransport):
    def __init__(self):
        self.inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request):
        if ipaddress.ip_address(socket.gethostbyname(request.url.host)).is_private:
            raise ValueError("a local address")
        return await self.inner.handle_async_request(request)


class Patient(httpx.AsyncBaseTransport):
    async def handle_async_request(self, request):
        return await httpx.AsyncHTTPTransport(retries=3).handle_async_request(request)


@app.get("/careful")
async def careful(url: str):
    async with httpx.AsyncClient(transport=Careful()) as client:
        return (await client.get(url)).text  # ok: ssrf


@app.get("/patient")
async def patient(url: str):
    async with httpx.AsyncClient(transport=Patient()) as client:
        return (await client.get(url)).text  # expect: ssrf
