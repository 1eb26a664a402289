"""Frameworks of languages besides Python, as data: how a manifest and how code give each away, and which are not read.

Always holds: a manifest alone is a weak sign, code alone a strong one, both together make it certain (A3). Does not belong
here: Python's frameworks; their conventions say the same of themselves.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.inventory.frameworks import seen_framework
from counterproof.analysis.polyglot.corpus import OTHERS, Corpus
from counterproof.analysis.polyglot.imports import imported
from counterproof.model.recon import Dependency, Framework
from counterproof.model.survey import Language

_SCRIPTS = (Language.JAVASCRIPT, Language.TYPESCRIPT)
LANGUAGES = {
    "npm": _SCRIPTS,
    "maven": (Language.JAVA,),
    "go": (Language.GO,),
    "packagist": (Language.PHP,),
    "rubygems": (Language.RUBY,),
}


@dataclass(frozen=True, slots=True)
class Stack:
    """`packages` and `imports` ending in ':', '/', '.' or '\\' stand for everything that starts so. `marks` are texts in code
    that only this framework has, for languages that import without saying so. `read` is False where its entry points are not
    understood yet."""

    name: str
    ecosystem: str
    packages: tuple[str, ...]
    imports: tuple[str, ...] = ()
    marks: tuple[bytes, ...] = ()
    read: bool = True


def _npm(name: str, *packages: str, read: bool = True) -> Stack:
    return Stack(name, "npm", packages, packages, read=read)


def _go(name: str, path: str, read: bool = True) -> Stack:
    return Stack(name, "go", (path, path + "/"), (path, path + "/"), read=read)


STACKS = (
    _npm("Express", "express"),
    _npm("Koa", "koa", "@koa/router", "koa-router"),
    _npm("Fastify", "fastify"),
    _npm("NestJS", "@nestjs/core", "@nestjs/common"),
    Stack("Next.js", "npm", ("next",), ("next", "next/"), (b"NextResponse", b"NextApiRequest")),
    _npm("Hapi", "@hapi/hapi", "hapi"),
    _npm("Hono", "hono"),
    _npm("Socket.IO", "socket.io"),
    _npm("React", "react"),
    _npm("Vue", "vue"),
    _npm("Angular", "@angular/core"),
    _npm("Prisma", "@prisma/client"),
    _npm("Sequelize", "sequelize"),
    _npm("TypeORM", "typeorm"),
    _npm("Mongoose", "mongoose"),
    _npm("Electron", "electron"),
    _npm("Adonis", "@adonisjs/core", read=False),
    _npm("Sails", "sails", read=False),
    _npm("LoopBack", "@loopback/core", "loopback", read=False),
    _npm("Feathers", "@feathersjs/feathers", read=False),
    _npm("Remix", "@remix-run/node", "@remix-run/react", read=False),
    _npm("Nuxt", "nuxt", read=False),
    _npm("tRPC", "@trpc/server", read=False),
    _npm("Apollo", "@apollo/server", "apollo-server", "apollo-server-express", read=False),
    Stack("Spring", "maven", ("org.springframework:", "org.springframework.boot:"), ("org.springframework.",)),
    Stack("Spring Security", "maven", ("org.springframework.security:", "org.springframework.boot:spring-boot-starter-security"),
          ("org.springframework.security.",)),
    Stack("JAX-RS", "maven", ("javax.ws.rs:", "jakarta.ws.rs:", "org.glassfish.jersey.core:", "io.quarkus:"),
          ("javax.ws.rs.", "jakarta.ws.rs.")),
    Stack("Servlet", "maven", ("javax.servlet:", "jakarta.servlet:"), ("javax.servlet.", "jakarta.servlet.")),
    Stack("Hibernate", "maven", ("org.hibernate:", "org.hibernate.orm:"),
          ("org.hibernate.", "javax.persistence.", "jakarta.persistence.")),
    Stack("gRPC", "maven", ("io.grpc:",), ("io.grpc.",)),
    Stack("Micronaut", "maven", ("io.micronaut:",), ("io.micronaut.",), read=False),
    Stack("Struts", "maven", ("org.apache.struts:",), ("org.apache.struts",), read=False),
    Stack("Play", "maven", ("com.typesafe.play:",), ("play.mvc.",), read=False),
    _go("gin", "github.com/gin-gonic/gin"),
    _go("echo", "github.com/labstack/echo"),
    _go("chi", "github.com/go-chi/chi"),
    _go("fiber", "github.com/gofiber/fiber"),
    _go("gorilla/mux", "github.com/gorilla/mux"),
    _go("httprouter", "github.com/julienschmidt/httprouter"),
    Stack("net/http", "go", (), (), (b"http.HandleFunc(", b"http.NewServeMux(", b"http.ListenAndServe(")),
    _go("gRPC", "google.golang.org/grpc"),
    _go("GORM", "gorm.io/gorm"),
    _go("Beego", "github.com/beego/beego", read=False),
    _go("Iris", "github.com/kataras/iris", read=False),
    _go("Revel", "github.com/revel/revel", read=False),
    _go("Hertz", "github.com/cloudwego/hertz", read=False),
    Stack("Laravel", "packagist", ("laravel/framework", "laravel/lumen-framework"), ("Illuminate\\",)),
    Stack("Symfony", "packagist", ("symfony/framework-bundle", "symfony/symfony"),
          ("Symfony\\Bundle\\", "Symfony\\Component\\Routing\\")),
    Stack("Slim", "packagist", ("slim/slim",), ("Slim\\",)),
    Stack("Doctrine", "packagist", ("doctrine/orm", "doctrine/dbal"), ("Doctrine\\",)),
    Stack("CodeIgniter", "packagist", ("codeigniter4/framework", "codeigniter/framework"), ("CodeIgniter\\",),
          (b"CI_Controller",), False),
    Stack("CakePHP", "packagist", ("cakephp/cakephp",), ("Cake\\",), read=False),
    Stack("Yii", "packagist", ("yiisoft/yii2",), ("yii\\",), read=False),
    Stack("WordPress", "packagist", ("johnpbloch/wordpress",), (), (b"add_action(", b"register_rest_route("), False),
    Stack("Drupal", "packagist", ("drupal/core",), ("Drupal\\",), read=False),
    Stack("Rails", "rubygems", ("rails", "railties"), (),
          (b"Rails.application", b"ActionController::", b"< ApplicationController", b"ApplicationRecord")),
    Stack("Sinatra", "rubygems", ("sinatra",), ("sinatra", "sinatra/")),
    Stack("Grape", "rubygems", ("grape",), ("grape",), (b"Grape::API",)),
    Stack("Sidekiq", "rubygems", ("sidekiq",), ("sidekiq",), (b"Sidekiq::",)),
    Stack("Devise", "rubygems", ("devise",), (), (b"devise_for", b"Devise.setup")),
    Stack("Hanami", "rubygems", ("hanami",), ("hanami",), (b"Hanami::",), False),
    Stack("Roda", "rubygems", ("roda",), ("roda",), (b"< Roda",), False),
)  # fmt: skip


def stacks_of(corpus: Corpus, dependencies: tuple[Dependency, ...]) -> tuple[Framework, ...]:
    """The frameworks seen, by name; those of one name in two ecosystems are two."""
    signs = _signs(corpus)
    found: list[Framework] = []
    for stack in STACKS:
        declared = [each for each in dependencies if each.ecosystem == stack.ecosystem and _named(each.name, stack.packages)]
        used = signs.get((stack.name, stack.ecosystem), "")
        if (seen := seen_framework(stack.name, declared, used)) is not None:
            found.append(seen)
    return tuple(sorted(found, key=lambda each: (each.name, each.evidence)))


def unread_stacks(corpus: Corpus) -> tuple[str, ...]:
    """Names of frameworks that the code uses and whose entry points are not understood."""
    signs = _signs(corpus)
    return tuple(stack.name for stack in STACKS if not stack.read and (stack.name, stack.ecosystem) in signs)


def _signs(corpus: Corpus) -> dict[tuple[str, str], str]:
    return corpus.remembered(("stacks",), lambda: dict(reversed(list(_seen(corpus)))))


def _seen(corpus: Corpus) -> Iterator[tuple[tuple[str, str], str]]:
    for source in corpus.sources(*OTHERS):
        names = imported(corpus, source)
        for stack in STACKS:
            if source.language not in LANGUAGES[stack.ecosystem]:
                continue
            name = next((name for name in names if _named(name, stack.imports)), "")
            mark = next((mark for mark in stack.marks if mark in source.data), b"")
            if name or mark:
                what = f"imports {name}" if name else f"uses {mark.decode()}"
                yield (stack.name, stack.ecosystem), f"{source.path} {what}"


def _named(name: str, known: tuple[str, ...]) -> bool:
    return any(name == each or (each.endswith((":", "/", ".", "\\")) and name.startswith(each)) for each in known)
