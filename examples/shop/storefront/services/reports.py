"""Reports for the back office; the PDF comes from an external program."""

import os
import subprocess
from datetime import date

from flask import current_app, render_template

from storefront.store import orders, products


def sales_pdf(title, first, last):
    """Sales of a period as PDF; the path is returned."""
    rows = orders.between(first, last)
    html = render_template("report.html", title=title, rows=rows, total=sum(row["total_cents"] for row in rows))
    source = os.path.join(current_app.config["REPORT_DIR"], "sales.html")
    with open(source, "w", encoding="utf-8") as file:
        file.write(html)
    target = os.path.join(current_app.config["REPORT_DIR"], "sales.pdf")
    command = "wkhtmltopdf --quiet --title '%s' %s %s" % (title, source, target)
    subprocess.run(command, shell=True, check=False, timeout=60)
    return target


def low_stock(threshold):
    """Products that are about to run out."""
    return [row for row in products.listing("name", limit=1000) if row["stock"] <= threshold]


def stock_pdf(title, threshold):
    """Products that run out, as PDF."""
    html = render_template("report.html", title=title, rows=low_stock(threshold), total=0)
    target = os.path.join(current_app.config["REPORT_DIR"], f"stock-{date.today().isoformat()}.pdf")
    subprocess.run(
        ["wkhtmltopdf", "--quiet", "--title", title, "-", target],
        input=html.encode(),
        check=False,
        timeout=60,
    )
    return target


def disk_usage():
    """Free space, for the dashboard."""
    answer = subprocess.run("df -h / | tail -n 1", shell=True, capture_output=True, text=True, check=False, timeout=5)
    return answer.stdout.split()
