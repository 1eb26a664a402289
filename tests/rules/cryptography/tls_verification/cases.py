import socket
import ssl
import ssl as ssl_module

import aiohttp
import httpx
import paramiko
import pycurl
import requests
import yt_dlp

requests.get("https://api.example", verify=False)  # expect: tls-verification
requests.get("https://api.example", verify="/etc/ssl/own.pem")  # ok: tls-verification
requests.get("https://api.example", timeout=5)  # ok: tls-verification
client = httpx.Client(verify=False)  # expect: tls-verification
connector = aiohttp.TCPConnector(ssl=False)  # expect: tls-verification
context = ssl._create_unverified_context()  # expect: tls-verification
context = ssl.create_default_context()  # ok: tls-verification
context.check_hostname = False  # ok: tls-verification
context.verify_mode = ssl.CERT_NONE  # expect: tls-verification
context.verify_mode = ssl.CERT_REQUIRED  # ok: tls-verification

nameless = ssl.create_default_context()
nameless.check_hostname = False  # expect: tls-verification

session = requests.Session()
session.verify = False  # expect: tls-verification
session.verify = True  # ok: tls-verification

shell = paramiko.SSHClient()
shell.set_missing_host_key_policy(paramiko.AutoAddPolicy())  # expect: tls-verification
shell.set_missing_host_key_policy(paramiko.RejectPolicy())  # ok: tls-verification
shell.set_missing_host_key_policy(paramiko.WarningPolicy)  # expect: tls-verification
shell.set_missing_host_key_policy(paramiko.RejectPolicy)  # ok: tls-verification

plain = ssl.wrap_socket(socket.socket())  # expect: tls-verification
checked = ssl.wrap_socket(socket.socket(), cert_reqs=ssl.CERT_REQUIRED)  # ok: tls-verification
served = ssl.wrap_socket(socket.socket(), server_side=True, certfile="own.pem")  # ok: tls-verification


def connect(connection, verify):
    if verify:
        connection.cert_reqs = "CERT_REQUIRED"  # ok: tls-verification
    else:
        connection.cert_reqs = "CERT_NONE"  # ok: tls-verification


def download(curl, url, options):
    curl.setopt(pycurl.URL, url)
    curl.setopt(pycurl.SSL_VERIFYPEER, 0)  # expect: tls-verification
    curl.setopt(pycurl.SSL_VERIFYHOST, False)  # expect: tls-verification
    curl.setopt(pycurl.SSL_VERIFYPEER, 1)  # ok: tls-verification
    curl.setopt(pycurl.SSL_VERIFYPEER, 1 if options["verify"] else 0)  # ok: tls-verification


def fetched(url):
    options = {
        "quiet": True,
        "nocheckcertificate": True,  # expect: tls-verification
    }
    with yt_dlp.YoutubeDL(options) as loader:
        return loader.extract_info(url)


def fetched_well(url):
    return yt_dlp.YoutubeDL({"nocheckcertificate": False}).extract_info(url)  # ok: tls-verification


def dial(options, sock, host, ssl):
    if options.insecure:
        return ssl_module._create_unverified_context()  # ok: tls-verification
    return ssl.wrap_socket(sock, server_hostname=host)  # ok: tls-verification


def client(proxy):
    mounted = {"https://": httpx.HTTPTransport(proxy=proxy)}
    return httpx.Client(verify=False, mounts=mounted)  # ok: tls-verification


def client_alone(proxy):
    return httpx.Client(verify=False, proxy=proxy)  # expect: tls-verification
