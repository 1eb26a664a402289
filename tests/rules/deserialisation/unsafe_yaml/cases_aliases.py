import yaml

try:
    from yaml import CSafeLoader as Loader
except ImportError:
    from yaml import SafeLoader as Loader
from yaml import FullLoader as SafeLoader


def read_safely(path):
    with open(path) as handle:
        return yaml.load(handle, Loader=Loader)  # ok: unsafe-yaml


def read_under_a_false_name(path):
    with open(path) as handle:
        return yaml.load(handle, Loader=SafeLoader)  # expect: unsafe-yaml
