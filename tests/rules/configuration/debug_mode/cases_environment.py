import os

from flask import Flask

app = Flask(__name__)

if __name__ == "__main__":
    loud = os.getenv("DEBUG", "True").lower() in ("true", "1")
    quiet = os.getenv("DEBUG", "no").lower() in ("true", "1")
    stage = os.environ.get("STAGE", "production") == "development"
    app.run(debug=loud)  # expect: debug-mode
    app.run(debug=quiet)  # ok: debug-mode
    app.run(debug=stage)  # ok: debug-mode
    app.run(debug=os.environ.get("STAGE", "development") == "development")  # expect: debug-mode
