"""Flows across functions, methods and files."""

from collections.abc import Callable

from counterproof.analysis.examination import Examination

Examine = Callable[..., Examination]


def rules_at(examination: Examination) -> list[tuple[str, str, int]]:
    return [(finding.rule, finding.location.path, finding.location.start) for finding in examination.findings]


def test_flow_crosses_files_through_imports_and_relative_imports(examine: Examine) -> None:
    found = examine(
        shop____init__="",
        shop__web="""
            from flask import Flask, request
            from . import work
            from .work import build as make
            app = Flask(__name__)

            @app.route("/")
            def handler():
                work.run(make(request.args["x"]))
                return {}
            """,
        shop__work="""
            import os

            def build(name):
                return "ls " + name

            def run(command):
                os.system(command)
            """,
    )
    assert rules_at(found) == [("command-injection", "shop/web.py", 9)]
    steps = found.findings[0].flow
    assert steps is not None
    places = [str(step.location) for step in steps.steps]
    assert places == ["shop/web.py:9", "shop/work.py:5", "shop/web.py:9", "shop/work.py:8"]
    assert steps.complete


def test_projects_side_by_side_import_each_its_own(look_at: Examine) -> None:
    web = """
        from flask import Flask, request
        from shop.work import run
        app = Flask(__name__)

        @app.route("/")
        def handler():
            run(request.args["x"])
            return {}
        """
    careless = "import os\n\ndef run(command):\n    os.system('ls ' + command)\n"
    careful = "import subprocess\n\ndef run(command):\n    subprocess.run(['ls', '--', command])\n"
    found = look_at(
        {
            "old/src/shop/web.py": web,
            "old/src/shop/work.py": careless,
            "new/src/shop/web.py": web,
            "new/src/shop/work.py": careful,
        }
    )
    assert rules_at(found) == [("command-injection", "old/src/shop/work.py", 4)]


def test_a_package_may_hide_its_submodule_behind_a_name_of_its_own(look_at: Examine) -> None:
    found = look_at(
        {
            "shop/__init__.py": "from shop.Backup.backup import Backup",
            "shop/Backup/__init__.py": "",
            "shop/Backup/backup.py": """
                import os

                class Backup:
                    @staticmethod
                    def copy(name):
                        os.system("cp " + name)
                """,
            "web.py": """
                from flask import Flask, request
                from shop import Backup
                app = Flask(__name__)

                @app.route("/")
                def handler():
                    Backup.copy(request.args["name"])
                    return {}
                """,
        }
    )
    assert [rule for rule, *_ in rules_at(found)] == ["command-injection"]


def test_field_set_in_the_constructor_reaches_a_method(examine: Examine) -> None:
    found = examine(
        app="""
        import os
        from flask import Flask, request
        app = Flask(__name__)

        class Job:
            def __init__(self, name, label):
                self.name = name
                self.label = label

            def run(self):
                os.system("ls " + self.name)

            def show(self):
                os.system("echo " + self.label)

        @app.route("/")
        def handler():
            job = Job(request.args["x"], "fixed")
            job.run()
            job.show()
            return {}
        """
    )
    assert rules_at(found) == [("command-injection", "app.py", 12)]


def test_inherited_and_super_methods_are_followed(examine: Examine) -> None:
    found = examine(
        app="""
        import os
        from flask import Flask, request
        app = Flask(__name__)

        class Base:
            def go(self, word):
                os.system("ls " + word)

        class Child(Base):
            def go(self, word):
                super().go(word + "!")

        @app.route("/")
        def handler():
            Child().go(request.args["x"])
            return {}
        """
    )
    assert rules_at(found) == [("command-injection", "app.py", 8)]


def test_keyword_star_and_default_arguments_are_matched(examine: Examine) -> None:
    found = examine(
        app="""
        import os
        from flask import Flask, request
        app = Flask(__name__)

        def run(tool, word="a", *rest, flag="", **options):
            os.system("1" + word)
            os.system("2" + tool)
            os.system("3" + "".join(rest))
            os.system("4" + options["extra"])
            os.system("5" + flag)

        @app.route("/")
        def handler():
            x = request.args["x"]
            run("ls", x, "b", extra="c", flag="d")
            run("ls", "a", x, extra="c")
            run("ls", extra=x)
            return {}
        """
    )
    assert [line for _, _, line in rules_at(found)] == [7, 9, 10]


def test_object_changed_by_a_function_keeps_the_change(examine: Examine) -> None:
    found = examine(
        app="""
        import os
        from flask import Flask, request
        app = Flask(__name__)

        def fill(target, value):
            target["name"] = value
            target["fixed"] = "a"

        @app.route("/")
        def handler():
            data = {}
            fill(data, request.args["x"])
            os.system("ls " + data["name"])
            os.system("ls " + data["fixed"])
            return {}
        """
    )
    assert rules_at(found) == [("command-injection", "app.py", 14)]


def test_closures_see_the_variables_around_them(examine: Examine) -> None:
    found = examine(
        app="""
        import os
        from flask import Flask, request

        def create():
            app = Flask(__name__)

            @app.route("/")
            def handler():
                return later(request.args["x"])

            def later(word):
                def run():
                    os.system("ls " + word)
                run()
                return {}

            return app
        """
    )
    assert rules_at(found) == [("command-injection", "app.py", 14)]


def test_recursion_ends_and_is_marked(examine: Examine) -> None:
    found = examine(
        app="""
        import os
        from flask import Flask, request
        app = Flask(__name__)

        def even(word, n):
            if n == 0:
                return word
            return odd(word + "a", n - 1)

        def odd(word, n):
            return even(word + "b", n - 1)

        @app.route("/")
        def handler():
            os.system(even(request.args["x"], 4))
            return {}
        """
    )
    assert rules_at(found) == [("command-injection", "app.py", 16)]


def test_a_long_chain_of_calls_is_followed(examine: Examine) -> None:
    links = "\n".join(f"def f{n}(word):\n    return f{n + 1}(word)" for n in range(30))
    text = (
        "import os\nfrom flask import Flask, request\napp = Flask(__name__)\n"
        "@app.route('/')\ndef handler():\n    f0(request.args['x'])\n    return {}\n"
        f"{links}\ndef f30(word):\n    os.system('ls ' + word)\n"
    )
    found = examine(app=text)
    assert [finding.rule for finding in found.findings] == ["command-injection"]


def test_every_caller_of_a_plain_wrapper_is_a_finding_of_its_own(examine: Examine) -> None:
    found = examine(
        app="""
        import os
        from flask import Flask, request
        app = Flask(__name__)

        def run(command):
            os.system(command)

        @app.route("/a")
        def first():
            run("ls " + request.args["x"])
            return {}

        @app.route("/b")
        def second():
            run("ls " + request.form["y"])
            run("ls")
            return {}
        """
    )
    assert [line for _, _, line in rules_at(found)] == [11, 16]
    assert all(finding.flow and finding.flow.sink.location.start == 7 for finding in found.findings)


def test_generator_and_async_results_are_followed(examine: Examine) -> None:
    found = examine(
        app="""
        import os
        from fastapi import FastAPI
        app = FastAPI()

        def words(text):
            for word in text.split():
                yield word

        async def build(text):
            return "ls " + text

        @app.get("/{name}")
        async def handler(name: str, count: int, service=None):
            for word in words(name):
                os.system(word)
            os.system(await build(name))
            os.system("ls " + str(count))
            return {}
        """
    )
    assert [line for _, _, line in rules_at(found)] == [16, 17]
