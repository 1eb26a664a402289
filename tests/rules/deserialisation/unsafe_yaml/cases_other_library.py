from ruamel.yaml import YAML

yaml = YAML()


def read(path):
    with open(path) as handle:
        return yaml.load(handle)  # ok: unsafe-yaml


def parsed(text):
    yaml = YAML(typ="safe")
    return yaml.load(text)  # ok: unsafe-yaml
