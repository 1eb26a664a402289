import yt_dlp
from pyrogram import Client, filters

bot = Client("loader")


@bot.on_message(filters.private)
async def load(client, message):
    with yt_dlp.YoutubeDL({"quiet": True}) as loader:
        loader.extract_info(message.text, download=True)  # expect: ssrf


@bot.on_message(filters.command("status") & filters.user(KEEPER))
async def status(client, message):
    with yt_dlp.YoutubeDL({"quiet": True}) as loader:
        loader.extract_info(message.text)  # ok: ssrf
