"""Routes of Go programs: groups, middleware in and out of order, method patterns, and other ways in."""

import pytest
from conftest_types import Shown

pytestmark = pytest.mark.rule("A9")

AUTH = """
    package mw

    func Auth() gin.HandlerFunc {
        return func(c *gin.Context) {
            if c.GetHeader("Authorization") == "" {
                c.AbortWithStatus(http.StatusUnauthorized)
            }
        }
    }
"""


def test_gin_groups_and_functions_that_get_them(routes: Shown) -> None:
    found = routes(
        {
            "main.go": """
                package main
                import (
                    "example.org/shop/mw"
                    "example.org/shop/users"
                    "github.com/gin-gonic/gin"
                )
                func main() {
                    r := gin.Default()
                    v1 := r.Group("/v1")
                    users.Open(v1.Group("/users"))
                    v1.Use(mw.Auth())
                    users.Closed(v1.Group("/me"))
                    v1.DELETE("/all", func(c *gin.Context) {})
                    r.Handle("POST", "/odd", mw.Auth(), users.List)
                }
            """,
            "mw/auth.go": AUTH,
            "users/routes.go": """
                package users
                import "github.com/gin-gonic/gin"
                func Open(g *gin.RouterGroup) { g.GET("/", List) }
                func Closed(g *gin.RouterGroup) { g.PUT("", List) }
                func List(c *gin.Context) {}
            """,
        }
    )
    assert found == [
        "POST /odd users/routes.go:5 (mw.Auth)",
        "DELETE /v1/all main.go:13 (mw.Auth)",
        "PUT /v1/me users/routes.go:5 (mw.Auth)",
        "GET /v1/users users/routes.go:5 ()",
    ]


def test_chi_nests_with_functions(routes: Shown) -> None:
    found = routes(
        {
            "main.go": """
                package main
                import (
                    "net/http"
                    "github.com/go-chi/chi/v5"
                    "github.com/foreign/thing"
                )
                type API struct{ router chi.Router }
                func (a *API) list(w http.ResponseWriter, q *http.Request) {}
                func guard(next http.Handler) http.Handler {
                    return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
                        if q.Header.Get("Authorization") == "" { http.Error(w, "no", http.StatusUnauthorized); return }
                        next.ServeHTTP(w, q)
                    })
                }
                func admin() http.Handler { r := chi.NewRouter(); r.Get("/stats", stats); return r }
                func stats(w http.ResponseWriter, q *http.Request) {}
                func (a *API) routes() {
                    a.router.Route("/items", func(r chi.Router) {
                        r.Get("/", a.list)
                        r.With(guard).Post("/", a.list)
                        r.Group(func(r chi.Router) { r.Use(thing.Wrap); r.Put("/x", a.list) })
                    })
                    a.router.Mount("/admin", admin())
                }
            """
        }
    )
    assert found == [
        "GET /admin/stats main.go:16 ()",
        "GET /items main.go:8 ()",
        "POST /items main.go:8 (guard)",
        "PUT /items/x main.go:8 (thing.Wrap)",
    ]


def test_net_http_patterns_wrappers_and_gorilla(routes: Shown) -> None:
    found = routes(
        {
            "a.go": """
                package main
                import "net/http"
                func h(w http.ResponseWriter, q *http.Request) {}
                func auth(f http.HandlerFunc) http.HandlerFunc {
                    return func(w http.ResponseWriter, q *http.Request) {
                        if q.Header.Get("T") == "" { w.WriteHeader(401); return }
                        f(w, q)
                    }
                }
                func main() {
                    mux := http.NewServeMux()
                    mux.HandleFunc("POST /x/{id}", h)
                    mux.HandleFunc("/plain", auth(h))
                    http.ListenAndServe(":1", mux)
                }
            """,
            "g/g.go": """
                package g
                import "github.com/gorilla/mux"
                func Build() *mux.Router {
                    r := mux.NewRouter()
                    s := r.PathPrefix("/api").Subrouter()
                    s.HandleFunc("/y", show).Methods("GET", "HEAD")
                    return r
                }
                func show(w http.ResponseWriter, q *http.Request) {}
            """,
        }
    )
    assert found == [
        "GET /api/y g/g.go:9 ()",
        "HEAD /api/y g/g.go:9 ()",
        "ANY /plain a.go:3 (auth)",
        "POST /x/{id} a.go:3 ()",
    ]


def test_echo_middleware_counts_wherever_it_stands(routes: Shown) -> None:
    code = """
        package main
        import "github.com/labstack/echo/v4"
        func guard(n echo.HandlerFunc) echo.HandlerFunc { return func(c echo.Context) error { return echo.ErrUnauthorized } }
        func show(c echo.Context) error { return nil }
        func main() {
            e := echo.New()
            e.GET("/early", show)
            e.Use(guard)
        }
    """
    assert routes({"main.go": code}) == ["GET /early main.go:4 (guard)"]


def test_a_variable_made_from_itself_ends(routes: Shown) -> None:
    code = 'package main\nfunc main() {\n\tx := f()\n\tx = x.Next()\n\tx = x.Next()\n\tx.GET("/a", x.Handle)\n}\n'
    assert routes({"main.go": code}) == []


def test_other_ways_in(others: Shown) -> None:
    found = others(
        {
            "main.go": """
                package main
                import (
                    pb "example.org/shop/pb"
                    "github.com/robfig/cron/v3"
                    "github.com/spf13/cobra"
                )
                type server struct{}
                func (s *server) Buy(ctx Context, q *pb.Q) (*pb.R, error) { return nil, nil }
                func clean() {}
                func main() {
                    pb.RegisterShopServer(grpcServer, &server{})
                    cron.New().AddFunc("@daily", clean)
                }
                var sync = &cobra.Command{Use: "sync [dir]", Run: func(c *cobra.Command, a []string) {}}
            """
        }
    )
    assert found == [
        "rpc Shop/Buy main.go:8",
        "scheduled @daily main.go:9",
        "main main.go main.go:10",
        "cli sync main.go:14",
    ]
