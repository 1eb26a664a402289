"""The nightly clean-up: expired sessions, reset codes and attempts, stale reports."""

import os
import time
from datetime import datetime, timezone

from apscheduler.schedulers.background import BackgroundScheduler

from storefront.database import connection

EXPIRING_TABLES = ("sessions", "resets")
REPORT_AGE = 7 * 86400


def start_scheduler(app):
    scheduler = BackgroundScheduler(timezone="UTC")
    scheduler.add_job(run_cleanup, "cron", hour=3, args=[app])
    scheduler.start()
    return scheduler


def run_cleanup(app):
    with app.app_context():
        remove_expired_rows()
        remove_old_reports(app.config["REPORT_DIR"])


def remove_expired_rows():
    now = datetime.now(timezone.utc).isoformat()
    db = connection()
    for table in EXPIRING_TABLES:
        db.execute(f"DELETE FROM {table} WHERE expires_at < ?", (now,))
    db.execute("DELETE FROM attempts WHERE at < ?", (time.time() - 86400,))
    db.commit()


def remove_old_reports(folder):
    limit = time.time() - REPORT_AGE
    for entry in os.scandir(folder):
        if entry.is_file(follow_symlinks=False) and entry.stat().st_mtime < limit:
            os.remove(entry.path)
