import os

ACCESS_TOKEN = "q8Wm2Zr7Lk0Vx5Nb3Ty6Hd1"  # expect: hard-coded-token
REFRESH_TOKEN = os.environ["REFRESH_TOKEN"]  # ok: hard-coded-token
TOKEN_URL = "https://id.example.org/token"  # ok: hard-coded-token
TOKEN_LIFETIME = 3600  # ok: hard-coded-token



URL_TOKEN = "https://dai-api.station.example:3000/get-token"  # ok: hard-coded-token
URL_TOKEN = "https://station.example/token/8f3kQ92LmZr81TvWn0p"  # expect: hard-coded-token
# starts with xoxb-111-222-xyz  # ok: hard-coded-token
HOOK = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"  # ok: hard-coded-token

TOKEN = "PUT_YOUR_INFLUXDB2_TOKEN_HERE"  # ok: hard-coded-token

CREDENTIALS = "v1/credentials/:id"  # ok: hard-coded-token
CREDENTIALS = "v1/q8Wm2Zr7Lk0Vx5Nb3Ty6Hd1"  # expect: hard-coded-token
