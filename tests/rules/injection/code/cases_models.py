import ast

import anthropic
from openai import OpenAI

client = OpenAI()


def answer(question):
    reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": question}])
    return reply.choices[0].message.content


def worked_out(question):
    return eval(answer(question))  # expect: code-injection


def only_read(question):
    return ast.literal_eval(answer(question))  # ok: code-injection


def written(task):
    message = anthropic.Anthropic().messages.create(model="m", max_tokens=500, messages=[{"role": "user", "content": task}])
    code = message.content[0].text
    exec(code, {})  # expect: code-injection


def shown(task):
    print(answer(task))
    return eval("1 + 1")  # ok: code-injection
