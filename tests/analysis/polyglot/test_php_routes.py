"""Routes of PHP frameworks, plain scripts, and other ways into PHP programs."""

import pytest
from conftest_types import Shown

pytestmark = pytest.mark.rule("A9")


def test_laravel_groups_resources_and_controller_middleware(routes: Shown) -> None:
    found = routes(
        {
            "artisan": "#!/usr/bin/env php\n<?php\n",
            "routes/api.php": """
                <?php
                use App\\Http\\Controllers\\PostController;
                Route::get('/open', [PostController::class, 'index']);
                Route::prefix('admin')->middleware(['auth:api', 'throttle:60'])->group(function () {
                    Route::delete('/posts/{id}', [PostController::class, 'destroy'])->name('x');
                    Route::group(['prefix' => 'deep', 'middleware' => 'odd'], function () {
                        Route::match(['put', 'patch'], '/it', 'PostController@update');
                    });
                });
                Route::get('/odd', [PostController::class, 'index'])->middleware('odd');
                Route::get('/guest', fn () => 'x')->middleware('guest');
                Route::apiResource('notes', NoteController::class)->only(['index', 'store']);
            """,
            "app/Http/Controllers/PostController.php": """
                <?php
                class PostController {
                    public function index() { }
                    public function update() { }
                    public function destroy() { }
                }
            """,
            "app/Http/Controllers/NoteController.php": """
                <?php
                class NoteController {
                    public function __construct() { $this->middleware('auth')->except(['index']); }
                    public function index() { }
                    public function store() { }
                }
            """,
        }
    )
    posts, notes = "app/Http/Controllers/PostController.php", "app/Http/Controllers/NoteController.php"
    assert found == [
        f"PATCH /api/admin/deep/it {posts}:4 (auth:api, throttle:60, odd)",
        f"PUT /api/admin/deep/it {posts}:4 (auth:api, throttle:60, odd)",
        f"DELETE /api/admin/posts/{{id}} {posts}:5 (auth:api, throttle:60)",
        "GET /api/guest routes/api.php:11 (guest)",
        f"GET /api/notes {notes}:4 ()",
        f"POST /api/notes {notes}:5 (auth)",
        f"GET /api/odd {posts}:3 (odd)",
        f"GET /api/open {posts}:3 ()",
    ]


def test_symfony_attributes_annotations_and_access_rules(routes: Shown) -> None:
    found = routes(
        {
            "config/routes.yaml": "controllers:\n    resource: ../src/Controller/\n    prefix: /app\n",
            "config/packages/security.yaml": """
                security:
                    access_control:
                        - { path: ^/app/admin, roles: ROLE_ADMIN }
            """,
            "src/Controller/BlogController.php": """
                <?php
                #[Route('/blog')]
                class BlogController {
                    #[Route('/new', methods: ['GET', 'POST'])]
                    #[IsGranted('ROLE_USER')]
                    public function new() { }
                    /** @Route("/old/{id}", methods={"GET"}) */
                    public function old() { }
                    #[Route('/mine')]
                    public function mine() { $this->denyAccessUnlessGranted('VIEW'); }
                }
            """,
            "src/Controller/AdminController.php": """
                <?php
                class AdminController {
                    #[Route('/admin/users', methods: 'GET')]
                    public function users() { }
                }
            """,
        }
    )
    blog = "src/Controller/BlogController.php"
    assert found == [
        "GET /app/admin/users src/Controller/AdminController.php:4 (access_control ROLE_ADMIN)",
        f"ANY /app/blog/mine {blog}:10 ()",
        f"GET /app/blog/new {blog}:6 (IsGranted 'ROLE_USER')",
        f"POST /app/blog/new {blog}:6 (IsGranted 'ROLE_USER')",
        f"GET /app/blog/old/{{id}} {blog}:8 ()",
    ]


def test_slim(routes: Shown) -> None:
    found = routes(
        {
            "index.php": """
                <?php
                $app = AppFactory::create();
                $app->get('/hello', function ($request, $response) { return $response; });
                $app->group('/users', function ($group) {
                    $group->post('', UserAction::class);
                })->add(new TokenAuthMiddleware());
            """,
            "src/UserAction.php": "<?php\nclass UserAction {\n  public function __invoke($q, $s) { return $s; }\n}\n",
        }
    )
    assert found == ["GET /hello index.php:3 ()", "POST /users src/UserAction.php:3 (new TokenAuthMiddleware())"]


def test_plain_scripts(routes: Shown) -> None:
    found = routes(
        {
            "public/search.php": "<?php\n$q = $_GET['q'];\necho $q;\n",
            "public/save.php": "<?php\nsession_start();\nif (!isset($_SESSION['user'])) { exit; }\nsave($_POST['x']);\n",
            "lib/functions.php": "<?php\nfunction read() { return $_GET['x']; }\n",
        }
    )
    assert found == ["POST /save.php public/save.php:2 ()", "GET /search.php public/search.php:2 ()"]


def test_other_ways_in(others: Shown) -> None:
    found = others(
        {
            "app/Console/Clean.php": """
                <?php
                class Clean extends Command {
                    protected $signature = 'shop:clean {days}';
                    public function handle() { }
                }
            """,
            "app/Jobs/Mail.php": "<?php\nclass Mail implements ShouldQueue {\n  public function handle() { }\n}\n",
            "tool.php": "<?php\n$name = $argv[1];\n",
        }
    )
    assert found == ["cli shop:clean app/Console/Clean.php:4", "queue Mail app/Jobs/Mail.php:3", "cli tool.php tool.php:2"]
