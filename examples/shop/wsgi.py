"""Entry point of the web server: `python wsgi.py`, or `wsgi:application` for a WSGI server."""

from storefront import create_app
from storefront.jobs.cleanup import start_scheduler

application = create_app()

if __name__ == "__main__":
    start_scheduler(application)
    application.run(host="0.0.0.0", port=8000, debug=True)
