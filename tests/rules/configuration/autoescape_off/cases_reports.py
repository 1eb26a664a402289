"""Environments in a module without a server."""

import jinja2


def create_html(folder, rows):
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder))  # expect: autoescape-off
    return environment.get_template("report.html").render(rows=rows)


def create_escaped_html(folder, rows):
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True)  # ok: autoescape-off
    return environment.get_template("report.html").render(rows=rows)


def create_configuration(folder, rows):
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder))  # ok: autoescape-off
    return environment.get_template("nginx").render(rows=rows)
