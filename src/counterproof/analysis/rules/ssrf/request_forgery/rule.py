"""Outgoing request to an address that untrusted data chooses.

## What it finds
Request data in the URL of a request that the server sends.

## Why it matters
The sender reaches services that only the server can reach: metadata of the cloud, databases, administration pages.

## What is safe
A fixed address, a host checked against a list, a literal prefix that fixes scheme and host.

## Limits
An address that a setting starts is taken for fixed once a slash follows it. Redirects that the other side sends and name
resolution are not judged.
A function from outside that says by its name that it checks or cleans is believed, because its code is not there to be read.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_VERBS = ("get", "post", "put", "delete", "patch", "head", "options")
_SESSIONS = (
    "requests.Session()",
    "requests.session()",
    "httpx.Client()",
    "httpx.AsyncClient()",
    "aiohttp.ClientSession()",
    "cloudscraper.create_scraper()",
    "requests_html.HTMLSession()",
)
_LIKE_REQUESTS = ("requests", "httpx", "grequests", "curl_cffi.requests")
_PAGES = ("playwright.", "pyppeteer.")
_BROWSERS = ("Chrome", "Edge", "Firefox", "Ie", "Remote", "Safari")

_CLOUD = (
    ("azure.keyvault.secrets.SecretClient", "vault_url"),
    ("azure.keyvault.keys.KeyClient", "vault_url"),
    ("azure.keyvault.certificates.CertificateClient", "vault_url"),
    ("azure.storage.blob.BlobClient.from_blob_url", "blob_url"),
    ("azure.storage.blob.ContainerClient.from_container_url", "container_url"),
    ("azure.storage.blob.download_blob_from_url", "blob_url"),
    ("azure.storage.blob.upload_blob_to_url", "blob_url"),
    ("azure.storage.fileshare.ShareFileClient.from_file_url", "file_url"),
    ("elasticsearch.Elasticsearch", "hosts"),
    ("boto3.client", "endpoint_url"),
)
"""Clients that send their credentials along, and the argument that says where."""

RULE = FlowRule(
    RuleInfo(
        id="ssrf",
        title="Outgoing request to an address from untrusted data",
        dimension=Dimension.D6,
        kind="request",
        cwe=918,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can reach inner services through the server.",
        remedy="Take the host from a fixed list and check the parsed URL against it before the request.",
    ),
    sinks=(
        *(Sink(f"{library}.{name}", (0, "url")) for library in _LIKE_REQUESTS for name in _VERBS),
        *(Sink(f"{library}.request", (1, "url")) for library in _LIKE_REQUESTS),
        Sink("httpx.stream", (1, "url")),
        *(Sink(f"*.{name}", (0, "url"), receiver_from=_SESSIONS, only_certain=True) for name in (*_VERBS, "ws_connect")),
        *(Sink(f"*.{name}", (1, "url"), receiver_from=_SESSIONS, only_certain=True) for name in ("request", "stream")),
        Sink("urllib.request.urlopen", (0, "url")),
        Sink("urllib.request.urlretrieve", (0, "url")),
        Sink("urllib.request.Request", (0, "url")),
        Sink("urllib.urlopen", (0, "url")),
        Sink("urllib2.urlopen", (0, "url")),
        Sink("urllib2.Request", (0, "url")),
        *(Sink(f"urllib.request.{made}().open", (0, "fullurl")) for made in ("build_opener", "OpenerDirector", "URLopener")),
        Sink("httplib2.Http().request", (0, "uri")),
        Sink("urllib3.request", (1, "url")),
        Sink("urllib3.PoolManager().request", (1, "url")),
        Sink("urllib3.PoolManager().urlopen", (1, "url")),
        Sink("pdfkit.from_url", (0, "url")),
        Sink("imgkit.from_url", (0, "url")),
        Sink("weasyprint.HTML", ("url",)),
        Sink("wget.download", (0, "url")),
        Sink("feedparser.parse", (0, "url_file_stream_or_string")),
        Sink("http.client.HTTPConnection", (0, "host")),
        Sink("http.client.HTTPSConnection", (0, "host")),
        Sink("socket.create_connection", (0, "address")),
        Sink("socket.socket().connect", (0,)),
        Sink("asyncio.open_connection", (0, "host")),
        Sink("ftplib.FTP", (0, "host")),
        Sink("smtplib.SMTP", (0, "host")),
        Sink("telnetlib.Telnet", (0, "host")),
        Sink("paramiko.SSHClient().connect", (0, "hostname")),
        Sink("xmlrpc.client.ServerProxy", (0, "uri")),
        Sink("zeep.Client", (0, "wsdl")),
        Sink("websockets.connect", (0, "uri")),
        Sink("websocket.create_connection", (0, "url")),
        Sink("git.Repo.clone_from", (0, "url")),
        Sink("*.goto", (0, "url"), receiver_from=_PAGES, only_certain=True),
        *(Sink(f"selenium.webdriver.{name}().get", (0, "url")) for name in _BROWSERS),
        Sink("trafilatura.fetch_url", (0, "url")),
        Sink("newspaper.Article", (0, "url")),
        *(Sink(f"{package}.document_loaders.WebBaseLoader", (0, "web_path")) for package in ("langchain", "langchain_community")),
        Sink("pycurl.Curl().setopt", (1,), when=(("0", "URL|PROXY"),)),
        Sink("tornado.httpclient.AsyncHTTPClient().fetch", (0, "request")),
        Sink("tornado.httpclient.HTTPClient().fetch", (0, "request")),
        Sink("aiohttp.request", (1, "url")),
        *(Sink(name, (0, "url", argument)) for name, argument in _CLOUD),
    ),
    sanitisers=("host check", "fixed host"),
    poc="http://169.254.169.254/latest/meta-data/",
)
