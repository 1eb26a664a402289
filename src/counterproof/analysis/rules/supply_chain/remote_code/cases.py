import torch
from transformers import AutoModel, AutoTokenizer

REVISION = "3f1c9a7be2d04c55a1f0b6c2d9e8f7a6b5c4d3e2"


def loaded(name, trust):
    first = AutoModel.from_pretrained(name, trust_remote_code=True)  # expect: remote-code
    second = AutoTokenizer.from_pretrained(name, trust_remote_code=True, revision="main")  # expect: remote-code
    third = torch.hub.load("somebody/model", "small")  # expect: remote-code
    return first, second, third


def kept_safe(name, trust):
    first = AutoModel.from_pretrained(name)
    second = AutoModel.from_pretrained(name, trust_remote_code=False)  # ok: remote-code
    third = AutoModel.from_pretrained(name, trust_remote_code=True, revision=REVISION)  # ok: remote-code
    fourth = AutoModel.from_pretrained(name, trust_remote_code=trust)  # ok: remote-code
    fifth = torch.hub.load("models/own", "small", source="local")  # ok: remote-code
    return first, second, third, fourth, fifth
