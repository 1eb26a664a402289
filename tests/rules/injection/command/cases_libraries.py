import asyncio
import os

import anyio
import asyncssh
import pexpect
import sh
from fabric import Connection
from fastapi import FastAPI
from gevent import subprocess
from invoke import Context
from netmiko import ConnectHandler

app = FastAPI()


@app.get("/resize")
async def resize(name: str):
    await asyncio.create_subprocess_exec("bash", "-c", f"convert {name} out.png")  # expect: command-injection


@app.get("/resize-apart")
async def resize_apart(name: str):
    await asyncio.create_subprocess_exec("convert", name, "out.png")  # ok: command-injection


@app.get("/lookup")
async def lookup(host: str):
    await anyio.run_process(f"dig {host}")  # expect: command-injection
    await anyio.run_process(["dig", host])  # ok: command-injection


@app.get("/green")
def green(name: str):
    subprocess.check_output("ls " + name, shell=True)  # expect: command-injection
    subprocess.check_output(["ls", name])  # ok: command-injection


@app.get("/remote")
def remote(branch: str, count: int):
    Connection("build").sudo(f"git checkout {branch}")  # expect: command-injection
    Context().run(f"make {branch}")  # expect: command-injection
    Context().run(f"make -j {count}")  # ok: command-injection


@app.get("/spawn")
def spawn(tool: str):
    os.posix_spawn(tool, ["tool"], os.environ)  # expect: command-injection
    os.spawnve(os.P_WAIT, "/usr/bin/tool", ["tool", tool], {})  # ok: command-injection


@app.get("/sh")
def through_sh(text: str):
    sh.bash("-c", "echo " + text)  # expect: command-injection
    sh.grep("-c", text)  # ok: command-injection


@app.get("/router")
async def router(host: str, number: int):
    switch = ConnectHandler(device_type="cisco_ios", host="10.0.0.1")
    switch.send_command(f"show ip route {host}")  # expect: command-injection
    switch.send_command(f"show vlan {number}")  # ok: command-injection
    async with asyncssh.connect("build") as shell:
        await shell.run("ping " + host)  # expect: command-injection
        await shell.run("uptime")  # ok: command-injection


@app.get("/terminal")
def terminal(word: str):
    shell = pexpect.spawn("/bin/sh")
    shell.sendline("echo " + word)  # expect: command-injection
    shell.sendline("exit")  # ok: command-injection
