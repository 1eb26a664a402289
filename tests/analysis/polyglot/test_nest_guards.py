"""Guards and middleware of NestJS: each is read to its end, before the handlers of its own application."""

import pytest

from analysis.polyglot.conftest_types import ProjectMaker, Shown
from counterproof.analysis.polyglot.find import other_entry_points

KEYS = 'import { SetMetadata } from "@nestjs/common";\nexport const OPEN = "isOpen";\n'
DECORATORS = {
    "marks.ts": KEYS + "export const Open = () => SetMetadata(OPEN, true);\nexport const Roles = (...r) => SetMetadata('r', r);\n"
}
CONTROLLER = """
import { Controller, Get, UseGuards } from "@nestjs/common";
import { Open, Roles } from "./marks";
import { G } from "./guard";
@Controller("cats")
@UseGuards(G)
export class Cats {
  @Get("plain") plain() { return 1; }
  @Get("open") @Open() open() { return 1; }
  @Get("roles") @Roles("admin") roles() { return 1; }
}
"""
HEAD = 'import { OPEN } from "./marks";\nimport { AuthGuard } from "@nestjs/passport";\n'


def answers(routes: Shown, guard: str) -> list[str]:
    """What the guard says of `open`, `plain` and `roles`, in that order."""
    found = routes({**DECORATORS, "cats.ts": CONTROLLER, "guard.ts": HEAD + guard})
    return [each.rpartition(" ")[2] for each in found]


LIFTED = """export class G extends AuthGuard("jwt") {
  constructor(private reflector: Reflector) { super(); }
  canActivate(context) {
    const lifted = this.reflector.getAllAndOverride<boolean>(OPEN, [context.getHandler(), context.getClass()]);
    if (lifted) { return true; }
    return super.canActivate(context);
  }
}"""
ONLY_WITH_ROLES = """export class G {
  canActivate(context) {
    const wanted = this.reflector.get('r', context.getHandler());
    if (!wanted || wanted.length === 0) return true;
    const user = context.switchToHttp().getRequest().user;
    return wanted.some((each) => user.roles.includes(each));
  }
}"""
IN_ONE_TEST = """export class G {
  canActivate(context) {
    const wanted = this.reflector.get('r', context.getHandler());
    return !wanted || wanted.includes(context.switchToHttp().getRequest().user.role);
  }
}"""
UNDER_A_CONDITION = """export class G {
  canActivate(context) {
    const wanted = this.reflector.get('r', context.getHandler());
    if (wanted) { if (!ask(context, wanted)) { return false; } }
    return true;
  }
}"""
NOBODY = "export class G { async canActivate(context) { console.log('here'); return Promise.resolve(true); } }"
REFUSES_BY_DEFAULT = """export class G {
  canActivate(context) {
    if (allowed.has(context.switchToHttp().getRequest().headers['x-key'])) return true;
    return false;
  }
}"""
SOMETIMES = """export class G {
  canActivate(context) {
    if (process.env.OFF) return true;
    return check(context);
  }
}"""
OPTIONAL = 'export class G extends AuthGuard("jwt") { handleRequest(error, user) { return user; } }'
DEMANDED = """export class G extends AuthGuard("jwt") {
  handleRequest(error, user) { if (error || !user) { throw error; } return user; }
}"""
INHERITED = f'class Own extends AuthGuard("jwt") {{}}\n{"export class G extends Own {}"}'
IN_A_SERVICE = """import { Tokens } from "./tokens";
export class G {
  constructor(private readonly tokens: Tokens) {}
  canActivate(context) { this.tokens.demand(context); return true; }
}"""


@pytest.mark.parametrize(
    ("guard", "said"),
    [
        pytest.param(LIFTED, ["absent", "present", "present"], id="metadata lets in"),
        pytest.param(ONLY_WITH_ROLES, ["absent", "absent", "present"], id="asks where roles are named"),
        pytest.param(IN_ONE_TEST, ["absent", "absent", "present"], id="the same in one expression"),
        pytest.param(UNDER_A_CONDITION, ["absent", "absent", "present"], id="the same, the other way round"),
        pytest.param(NOBODY, ["absent"] * 3, id="refuses nobody"),
        pytest.param(REFUSES_BY_DEFAULT, ["present"] * 3, id="refuses by default"),
        pytest.param(SOMETIMES, ["unknown"] * 3, id="hangs on a setting"),
        pytest.param(OPTIONAL, ["absent"] * 3, id="takes whoever comes"),
        pytest.param(DEMANDED, ["present"] * 3, id="throws without a user"),
        pytest.param(INHERITED, ["present"] * 3, id="inherited from a library"),
    ],
)
def test_a_guard_is_read_to_its_end(routes: Shown, guard: str, said: list[str]) -> None:
    assert answers(routes, guard) == said


@pytest.mark.parametrize(
    "held",
    [
        "const held = SetMetadata(OPEN, true);\nexport const Open = () => applyDecorators(held);\n",
        "export const Open = () => applyDecorators(SetMetadata(OPEN, true));\n",
        "export const Open = Reflector.createDecorator();\n",
    ],
)
def test_metadata_however_it_is_put_on(routes: Shown, held: str) -> None:
    marks = KEYS + held + "export const Roles = (...r) => SetMetadata('r', r);\n"
    guard = LIFTED.replace("(OPEN,", "(Open,") if "createDecorator" in held else LIFTED
    files = {"marks.ts": marks, "cats.ts": CONTROLLER, "guard.ts": HEAD.replace("OPEN", "OPEN, Open") + guard}
    assert [each.rpartition(" ")[2] for each in routes(files)] == ["absent", "present", "present"]


def test_a_decorator_that_is_not_there_leaves_the_question_open(routes: Shown) -> None:
    found = routes({"cats.ts": CONTROLLER, "guard.ts": HEAD + ONLY_WITH_ROLES})
    assert [each.rpartition(" ")[2] for each in found] == ["unknown", "absent", "unknown"]


def test_a_module_is_found_however_its_folder_is_spelled(routes: Shown) -> None:
    files = {"Shared/Marks.ts": DECORATORS["marks.ts"], "guard.ts": HEAD + ONLY_WITH_ROLES}
    found = routes({**files, "cats.ts": CONTROLLER.replace("./marks", "./shared/marks")})
    assert [each.rpartition(" ")[2] for each in found] == ["absent", "absent", "present"]


def test_a_guard_that_asks_an_injected_service(routes: Shown) -> None:
    service = "export class Tokens { demand(context) { if (!context.user) throw new UnauthorizedException(); } }\n"
    files = {**DECORATORS, "cats.ts": CONTROLLER, "guard.ts": IN_A_SERVICE, "tokens.ts": service}
    assert {each.rpartition(" ")[2] for each in routes(files)} == {"present"}


def _application(name: str, module: str) -> dict[str, str]:
    return {
        f"{name}/src/main.ts": 'import { NestFactory } from "@nestjs/core";\nNestFactory.create(AppModule);\n',
        f"{name}/src/app.module.ts": module,
        f"{name}/src/cats.ts": 'import { Controller, Get } from "@nestjs/common";\n'
        f'@Controller("{name}") export class Cats {{ @Get("a") a() {{ return 1; }} @Get("b/c") b() {{ return 1; }} }}\n',
    }


GLOBAL = """import { APP_GUARD } from "@nestjs/core";
import { AuthGuard } from "@nestjs/passport";
export const providers = [{ provide: APP_GUARD, useClass: AuthGuard }];
"""


def test_what_guards_one_application_guards_no_other(routes: Shown) -> None:
    found = routes({**_application("api", GLOBAL), **_application("shop", "import { Module } from '@nestjs/common';\n")})
    assert [each.rpartition(" ")[2] for each in found] == ["present", "present", "absent", "absent"]


WHOLE = """import { APP_GUARD, NestFactory } from "@nestjs/core";
import { AuthGuard } from "@nestjs/passport";
import { OPEN } from "../../marks";
class G extends AuthGuard("jwt") {
  constructor(private reflector: Reflector) { super(); }
  canActivate(context) {
    if (this.reflector.get(OPEN, context.getHandler())) { return true; }
    return super.canActivate(context);
  }
}
"""
MARKED = """import { Controller, Get } from "@nestjs/common";
import { Open, PublicDocs } from "../../marks";
@Controller("cats") export class Cats {
  @Get("plain") plain() { return 1; }
  @Get("docs") @PublicDocs() docs() { return 1; }
  @Get("open") @Open() open() { return 1; }
}
"""


@pytest.mark.rule("A68")
@pytest.mark.parametrize(
    "registered",
    [
        "const app = await NestFactory.create(AppModule);\napp.useGlobalGuards(new G(reflector));",
        "const app = await NestFactory.create(AppModule);\napp.useGlobalGuards(app.get(G));",
        "export const providers = [{ provide: APP_GUARD, useClass: G }];",
        "export const providers = [{ useExisting: G, provide: APP_GUARD }];",
        "export const providers = [{ provide: APP_GUARD, useValue: new G(reflector) }];",
        "export const providers = [{ provide: APP_GUARD, useFactory: (r) => { return new G(r); }, inject: [Reflector] }];",
    ],
)
def test_a_guard_of_the_whole_application_is_written_on_every_route(make_project: ProjectMaker, registered: str) -> None:
    docs = 'export const PublicDocs = () => SetMetadata("docs", true);\n'
    files = {"marks.ts": DECORATORS["marks.ts"] + docs, "api/src/app.ts": WHOLE + registered, "api/src/cats.ts": MARKED}
    found = {each.path: each.guards for each in other_entry_points(make_project(files))}
    asked = {path: [str(each.asks) for each in guards] for path, guards in found.items()}
    assert asked == {
        "/cats/plain": ["identity"],
        "/cats/docs": ["identity", "not understood"],
        "/cats/open": ["nothing", "nothing"],
    }


@pytest.mark.rule("A68")
def test_a_decorator_of_a_guards_own_package_may_lift_it(routes: Shown) -> None:
    cats = """import { Controller, Get } from "@nestjs/common";
        import { Free } from "keys";
        import { PublicDocs } from "docs";
        @Controller("cats") export class Cats { @Get("docs") @PublicDocs() docs() {} @Get("free") @Free() free() {} }
    """
    module = """import { APP_GUARD, NestFactory } from "@nestjs/core";
        import { AuthGuard } from "keys";
        export const providers = [{ provide: APP_GUARD, useClass: AuthGuard }];
    """
    assert [each.rpartition(" ")[2] for each in routes({"app.ts": module, "cats.ts": cats})] == ["present", "unknown"]


def test_middleware_in_lists_as_functions_and_with_exceptions(routes: Shown) -> None:
    module = """import { Module } from "@nestjs/common";
        import { quiet } from "./quiet";
        class Asks { use(req, res, next) { if (!req.user) { throw new UnauthorizedException(); } next(); } }
        class Old { resolve(text) { return (req, res, next) => { console.log(text); next(); }; } }
        export class AppModule {
          configure(consumer) {
            consumer.apply([Old, quiet]).with("x").forRoutes(Cats);
            consumer.apply(Asks).exclude("api/a").forRoutes("api/(.*)");
          }
        }
    """
    quiet = "export const quiet = (req, res, next) => { console.log('a'); next(); };\n"
    found = routes({**_application("api", module), "api/src/quiet.ts": quiet})
    assert [each.rpartition(" ")[2] for each in found] == ["absent", "present"]


COMPOSED = """import { applyDecorators, Controller, Get, UseGuards } from "@nestjs/common";
import { AuthGuard } from "@nestjs/passport";
function Auth(given?) {
  const options = { guards: [AuthGuard("jwt")], ...given };
  return applyDecorators(UseGuards(...options.guards));
}
export function Area(name: string, secured = true) {
  const parts = [Controller(name)];
  if (secured) parts.push(Auth());
  return applyDecorators(...parts);
}
export const Item = (path) => applyDecorators(Get(path));
"""


def test_decorators_that_the_project_composes_are_opened(routes: Shown) -> None:
    areas = """import { Put as Patch } from "@nestjs/common";
        import { Area, Item } from "./parts";
        @Area("cats") export class Cats { @Item("a") a() { return 1; } @Patch("b") b() { return 1; } }
        @Area("dogs", false) export class Dogs { @Item("a") a() { return 1; } }
    """
    found = [each.split() for each in routes({"a.ts": areas, "parts.ts": COMPOSED})]
    assert [(each[0], each[1], each[-1]) for each in found] == [
        ("GET", "/cats/a", "present"),
        ("PUT", "/cats/b", "present"),
        ("GET", "/dogs/a", "absent"),
    ]


def test_a_guard_that_only_slows_callers_down_is_none(routes: Shown) -> None:
    module = """import { APP_GUARD } from "@nestjs/core";
        import { ThrottlerGuard } from "@nestjs/throttler";
        class Slower extends ThrottlerGuard {}
        export const providers = [{ provide: APP_GUARD, useClass: Slower }];
    """
    assert {each.rpartition(" ")[2] for each in routes(_application("api", module))} == {"absent"}
