from anthropic import Anthropic
from flask import Flask, request
from openai import OpenAI

app = Flask(__name__)
client = OpenAI()
TONES = {"short": "Answer in one sentence.", "long": "Explain step by step."}


@app.post("/chat")
def chat():
    reply = client.chat.completions.create(  # expect: system-prompt
        model="m",
        messages=[
            {"role": "system", "content": "You are " + request.form["persona"]},
            {"role": "user", "content": request.form["question"]},
        ],
    )
    return {"answer": reply.choices[0].message.content}


@app.post("/ask")
def ask():
    reply = client.chat.completions.create(  # ok: system-prompt
        model="m",
        messages=[{"role": "system", "content": "You help."}, {"role": "user", "content": request.form["question"]}],
    )
    return {"answer": reply.choices[0].message.content}


@app.post("/respond")
def respond():
    asked = request.get_json()
    client.responses.create(model="m", instructions=f"Talk like {asked['voice']}", input="Hello")  # expect: system-prompt
    client.responses.create(model="m", instructions="Talk plainly", input=asked["text"])  # ok: system-prompt
    return {}


@app.post("/claude")
def claude():
    persona = request.form["persona"]
    first = Anthropic().messages.create(model="m", max_tokens=9, system=persona, messages=[])  # expect: system-prompt
    tone = TONES.get(request.form["tone"], TONES["short"])
    second = Anthropic().messages.create(model="m", max_tokens=9, system=tone, messages=[])  # ok: system-prompt
    return {"first": str(first), "second": str(second)}


@app.post("/fixed")
def fixed():
    client.chat.completions.create(model="m", messages=instructed("Be brief."))  # ok: system-prompt
    return {}


def instructed(text):
    return [{"role": "developer", "content": text}]


@app.post("/developer")
def developer():
    client.chat.completions.create(model="m", messages=instructed(request.form["rules"]))  # expect: system-prompt
    return {}
