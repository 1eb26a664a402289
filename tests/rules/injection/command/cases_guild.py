import os

from discord.ext import commands

guild = commands.Bot("!")


@guild.command()
async def ping(ctx, host):
    os.system(f"ping -c 1 {host}")  # expect: command-injection


@guild.command()
@commands.is_owner()
async def run(ctx, *, line):
    os.system(line)  # ok: command-injection


@guild.event
async def on_message(message):
    os.system(f"say {message.content}")  # expect: command-injection
    os.system(f"say {message.author.id}")  # ok: command-injection


@guild.group()
@commands.is_owner()
async def machine(ctx):
    pass


@machine.command()
async def start(ctx, *, line):
    os.system(line)  # ok: command-injection


@guild.group()
async def game(ctx):
    pass


@game.command()
async def play(ctx, *, line):
    os.system(line)  # expect: command-injection
