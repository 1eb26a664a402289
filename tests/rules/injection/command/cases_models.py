import json
import os
import subprocess

from langchain_openai import ChatOpenAI
from openai import OpenAI

client = OpenAI()


def answer(question):
    reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": question}])
    return reply.choices[0].message.content


def shell(task):
    command = ChatOpenAI().invoke(task).content
    os.system(command)  # expect: command-injection
    subprocess.run(command, shell=True)  # expect: command-injection
    subprocess.run(["echo", command])  # ok: command-injection


ACTIONS = {"list": "ls", "date": "date"}


def chosen(task):
    wanted = json.loads(answer(task))["action"]
    os.system(ACTIONS[wanted])  # ok: command-injection
    return answer(task)
