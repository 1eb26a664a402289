import os

ACCESS_TOKEN = "q8Wm2Zr7Lk0Vx5Nb3Ty6Hd1"  # expect: hard-coded-token
REFRESH_TOKEN = os.environ["REFRESH_TOKEN"]  # ok: hard-coded-token
TOKEN_URL = "https://id.example.org/token"  # ok: hard-coded-token
TOKEN_LIFETIME = 3600  # ok: hard-coded-token
