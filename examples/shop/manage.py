"""Command line of the shop: create the database, add staff, load products, make a backup."""

import argparse
import csv
import getpass
import os
import subprocess
import sys
from datetime import datetime, timezone

from storefront import create_app
from storefront.database import connection, create_schema
from storefront.jobs.cleanup import run_cleanup
from storefront.passwords import staff_digest
from storefront.store import products, users


def build_parser():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("init-db", help="create the tables")
    commands.add_parser("cleanup", help="remove what has expired")
    commands.add_parser("count", help="show how many rows each table has")
    admin = commands.add_parser("create-admin", help="add a member of staff")
    admin.add_argument("email")
    admin.add_argument("--name", default="Shop staff")
    load = commands.add_parser("load-products", help="load products from a CSV file")
    load.add_argument("file", type=argparse.FileType("r", encoding="utf-8"))
    backup = commands.add_parser("backup", help="write a compressed copy of the database")
    backup.add_argument("--keep", type=int, default=7)
    return parser


def create_admin(email, name):
    password = getpass.getpass("Password: ")
    if len(password) < 12:
        sys.exit("Staff passwords have at least 12 characters.")
    if password != getpass.getpass("Again: "):
        sys.exit("The passwords differ.")
    users.insert(email, name, staff_digest(password), role="admin")
    print(f"Added {email}.")


def load_products(file):
    loaded = 0
    for row in csv.DictReader(file):
        products.upsert(
            sku=row["sku"].strip(),
            name=row["name"].strip(),
            description=row.get("description", ""),
            price_cents=round(float(row["price"]) * 100),
            stock=max(0, int(row["stock"])),
            category=row.get("category", "other"),
        )
        loaded += 1
    print(f"Loaded {loaded} products.")


def backup(database, folder, keep):
    os.makedirs(folder, exist_ok=True)
    stamp = datetime.now(timezone.utc).strftime("%Y%m%d-%H%M%S")
    target = os.path.join(folder, f"shop-{stamp}.db")
    subprocess.run(["sqlite3", database, f".backup '{target}'"], check=True)
    subprocess.run(["gzip", "--force", target], check=True)
    copies = sorted(name for name in os.listdir(folder) if name.endswith(".gz"))
    for name in copies[:-keep]:
        os.remove(os.path.join(folder, name))
    print(f"Wrote {target}.gz")


def count_rows():
    for table in ("users", "products", "orders", "tickets", "coupons"):
        total = connection().execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
        print(f"{table:12}{total:>8}")


def main():
    arguments = build_parser().parse_args()
    app = create_app()
    with app.app_context():
        if arguments.command == "init-db":
            create_schema()
        elif arguments.command == "cleanup":
            run_cleanup(app)
        elif arguments.command == "count":
            count_rows()
        elif arguments.command == "create-admin":
            create_admin(arguments.email, arguments.name)
        elif arguments.command == "load-products":
            load_products(arguments.file)
        elif arguments.command == "backup":
            backup(app.config["DATABASE"], app.config["BACKUP_DIR"], arguments.keep)


if __name__ == "__main__":
    main()
