import jinja2
from jinja2 import Environment, Template
from jinja2.sandbox import SandboxedEnvironment


def report(chart, values):
    return Template(chart.label).render(values)  # expect: open-template


def message(text, values):
    environment = Environment(autoescape=True)
    return environment.from_string(text).render(values)  # expect: open-template


def title(options):
    return jinja2.Template(options["title"]).render()  # expect: open-template


def sandboxed(text, values):
    environment = SandboxedEnvironment(autoescape=True)
    return environment.from_string(text).render(values)  # ok: open-template


def fixed(name):
    return Template("Hello {{ name }}").render(name=name)  # ok: open-template


def by_name(environment, name):
    return environment.get_template(name).render()  # ok: open-template
