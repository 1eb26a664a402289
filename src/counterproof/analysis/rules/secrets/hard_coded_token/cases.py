import os

ACCESS_TOKEN = "q8Wm2Zr7Lk0Vx5Nb3Ty6Hd1"  # expect: hard-coded-token
REFRESH_TOKEN = os.environ["REFRESH_TOKEN"]  # ok: hard-coded-token
TOKEN_URL = "https://id.example.org/token"  # ok: hard-coded-token
TOKEN_LIFETIME = 3600  # ok: hard-coded-token

DOCUMENTED = {"example": {"access_token": "9f86d081884c7d659a2feaa0c55ad015"}}  # ok: hard-coded-token
