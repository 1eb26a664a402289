"""Routes of Java frameworks with their guards as written, and other entry points of Java programs."""

import pytest
from conftest_types import Shown

pytestmark = pytest.mark.rule("A9")

CONTROLLER = """
    package shop;
    import org.springframework.web.bind.annotation.*;
    @RestController
    @RequestMapping(Paths.BASE + "/orders")
    public class OrderController {
        @GetMapping({"", "/all"})
        public List<Order> list() { return null; }

        @PreAuthorize("hasRole('ADMIN')")
        @DeleteMapping(path = "/{id}")
        public void remove(@PathVariable long id) { }

        @RequestMapping(value = "/open", method = {RequestMethod.GET, RequestMethod.POST})
        @PreAuthorize("permitAll()")
        public String open() { return ""; }
    }
"""
PATHS = 'package shop;\npublic class Paths { public static final String BASE = "/api"; }\n'


def test_spring_annotations_are_shown_as_written(routes: Shown) -> None:
    found = routes({"src/shop/OrderController.java": CONTROLLER, "src/shop/Paths.java": PATHS})
    path = "src/shop/OrderController.java"
    assert found == [
        f"GET /api/orders {path}:7 ()",
        f"GET /api/orders/all {path}:7 ()",
        f'GET /api/orders/open {path}:15 (PreAuthorize("permitAll()"))',
        f'POST /api/orders/open {path}:15 (PreAuthorize("permitAll()"))',
        f"DELETE /api/orders/{{id}} {path}:11 (PreAuthorize(\"hasRole('ADMIN')\"))",
    ]


def chain(rules: str) -> str:
    return f"""
        package shop;
        import org.springframework.security.config.annotation.web.builders.HttpSecurity;
        public class Config {{
            SecurityFilterChain chain(HttpSecurity http) throws Exception {{
                http.authorizeHttpRequests(auth -> auth{rules});
                return http.build();
            }}
        }}
    """


API = """
    package shop;
    import org.springframework.web.bind.annotation.*;
    @RestController
    public class Api {
        @GetMapping("/public/news") String news() { return ""; }
        @PostMapping("/orders/{id}") String change() { return ""; }
    }
"""


def test_a_filter_chain_is_named_before_every_route(routes: Shown) -> None:
    found = routes(
        {"Api.java": API, "Config.java": chain('.requestMatchers("/public/**").permitAll().anyRequest().authenticated()')}
    )
    assert [line.partition("(")[2] for line in found] == ["Spring Security's filter chain)"] * 2


def test_jax_rs_and_servlets(routes: Shown) -> None:
    found = routes(
        {
            "R.java": """
                import jakarta.ws.rs.*;
                @Path("/items")
                @RolesAllowed("user")
                public class R {
                    @GET @Path("{id}") public String one() { return ""; }
                    @POST @PermitAll public void add() { }
                }
            """,
            "S.java": """
                @WebServlet(urlPatterns = {"/s", "/t"})
                public class S extends HttpServlet {
                    protected void doGet(HttpServletRequest q, HttpServletResponse s) { }
                }
            """,
            "T.java": "public class T extends HttpServlet {\n    public void doPost(Object q, Object s) { }\n}\n",
            "web.xml": """
                <web-app><servlet><servlet-name>t</servlet-name><servlet-class>x.T</servlet-class></servlet>
                <servlet-mapping><servlet-name>t</servlet-name><url-pattern>/tee</url-pattern></servlet-mapping></web-app>
            """,
        }
    )
    assert found == [
        "POST /items R.java:6 (PermitAll)",
        'GET /items/{id} R.java:5 (RolesAllowed("user"))',
        "GET /s S.java:3 ()",
        "GET /t S.java:3 ()",
        "POST /tee T.java:2 ()",
    ]


def test_declared_clients_are_no_entry_points(routes: Shown) -> None:
    assert routes({"C.java": '@FeignClient("x") interface C { @GetMapping("/remote") String get(); }\n'}) == []


def test_other_ways_in(others: Shown) -> None:
    found = others(
        {
            "Jobs.java": """
                public class Jobs {
                    @Scheduled(cron = "0 0 * * *") void nightly() { }
                    @KafkaListener(topics = {"a", "b"}) void take(String m) { }
                    public static void main(String[] args) { }
                }
            """,
            "G.java": """
                class G extends GreeterGrpc.GreeterImplBase {
                    public void sayHello(Request q, Observer<Reply> o) { }
                    private void helper() { }
                }
            """,
        }
    )
    assert found == [
        "rpc Greeter/sayHello G.java:2",
        "scheduled 0 0 * * * Jobs.java:2",
        "queue a, b Jobs.java:3",
        "main Jobs Jobs.java:4",
    ]
