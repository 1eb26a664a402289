import os
import subprocess

import telebot
from telegram.ext import CommandHandler

bot = telebot.TeleBot(os.environ["TOKEN"])


@bot.message_handler(commands=["look"])
def look(message):
    subprocess.run("whois " + message.text.split()[1], shell=True, check=False)  # expect: command-injection
    subprocess.run(f"touch seen/{message.chat.id}", shell=True, check=False)  # ok: command-injection


@bot.callback_query_handler(func=lambda call: True)
def chosen(call):
    os.system("play " + call.data)  # expect: command-injection


@bot.message_handler(func=lambda message: message.from_user.id in ADMINS)
def maintain(message):
    os.system(message.text)  # ok: command-injection


async def trace(update, context):
    os.system("traceroute " + context.args[0])  # expect: command-injection


async def restart(update, context):
    if update.effective_user.id != KEEPER:
        return
    os.system("systemctl restart " + update.message.text)  # ok: command-injection


def start(application):
    application.add_handler(CommandHandler("trace", trace))
    application.add_handler(CommandHandler("restart", restart))
