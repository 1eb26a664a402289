import ast
import os
import pickle
import subprocess
import tarfile

import yaml
from lxml import etree


def convert(name, blob):
    os.system("convert " + name)  # expect: python-shell-command
    subprocess.run(f"convert {name}", shell=True, check=True)  # expect: python-shell-command
    subprocess.run(["convert", name], check=True)  # ok: python-shell-command
    os.system("sync")  # ok: python-shell-command
    eval(name)  # expect: python-code-evaluation
    ast.literal_eval(name)  # ok: python-code-evaluation
    eval("1 + 1")  # ok: python-code-evaluation
    pickle.loads(blob)  # expect: python-unsafe-deserialisation
    pickle.loads(pickle.dumps(name))  # ok: python-unsafe-deserialisation
    yaml.load(blob, Loader=yaml.Loader)  # expect: python-unsafe-deserialisation
    yaml.load(blob, Loader=yaml.SafeLoader)  # ok: python-unsafe-deserialisation
    yaml.safe_load(blob)  # ok: python-unsafe-deserialisation


def unpack(path):
    etree.XMLParser(resolve_entities=True)  # expect: python-xml-external-entities
    etree.XMLParser(resolve_entities=False)  # ok: python-xml-external-entities
    with tarfile.open(path) as archive:
        archive.extractall("out")  # expect: python-archive-extraction
        archive.extractall("out", filter="data")  # ok: python-archive-extraction
