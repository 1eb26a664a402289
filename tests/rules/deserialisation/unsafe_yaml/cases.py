import yaml
from yaml import CSafeLoader, Loader


def settings(path):
    with open(path) as handle:
        return yaml.load(handle, Loader=yaml.Loader)  # expect: unsafe-yaml


def message(text):
    return yaml.load(text, Loader)  # expect: unsafe-yaml


def answer(response):
    return yaml.load(response.text)  # expect: unsafe-yaml


def everything(stream):
    return list(yaml.unsafe_load_all(stream))  # expect: unsafe-yaml


def safe(path):
    with open(path) as handle:
        return yaml.safe_load(handle)  # ok: unsafe-yaml


def chosen(text):
    return yaml.load(text, Loader=CSafeLoader)  # ok: unsafe-yaml


def own(text, loader):
    return yaml.load(text, Loader=loader)  # ok: unsafe-yaml


def literal():
    return yaml.load("a: 1", Loader=yaml.Loader)  # ok: unsafe-yaml


def worked_out():
    text = "a: %d" % 1
    return yaml.load(text, Loader=yaml.Loader)  # ok: unsafe-yaml


with open("/etc/worker/settings.yaml") as settings_file:
    settings = yaml.load(settings_file, Loader=yaml.Loader)  # expect: unsafe-yaml

with open("/etc/worker/plain.yaml") as plain_file:
    plain = yaml.safe_load(plain_file)  # ok: unsafe-yaml
