"""Small projects in languages without an analyst of flows, each with one flaw that shows only in the caller, and what a careful
reader would search for, follow and claim in them. The line of the sink ends in a comment, which a hunter is not shown."""

from typing import Any

GO = {
    "go.mod": "module example.com/shop\n\ngo 1.22\n\nrequire github.com/lib/pq v1.10.9\n",
    "main.go": (
        'package main\n\nimport (\n\t"database/sql"\n\t"net/http"\n\n\t_ "github.com/lib/pq"\n)\n\n'
        "var db *sql.DB\n\n"
        "func search(w http.ResponseWriter, r *http.Request) {\n"
        '\tname := r.URL.Query().Get("name") // checked by the gateway\n'
        "\trows, err := findOrders(name)\n"
        '\tif err != nil {\n\t\thttp.Error(w, "failed", 500)\n\t\treturn\n\t}\n'
        "\tdefer rows.Close()\n\tw.WriteHeader(200)\n}\n\n"
        "func main() {\n"
        '\thttp.HandleFunc("/search", search)\n\thttp.ListenAndServe(":8080", nil)\n}\n'
    ),
    "orders.go": (
        'package main\n\nimport "database/sql"\n\n'
        "func findOrders(name string) (*sql.Rows, error) {\n"
        '\tquery := "SELECT * FROM orders WHERE name = \'" + name + "\'" // a short list\n'
        "\treturn db.Query(query) // one row a line\n}\n"
    ),
}
PHP = {
    "composer.json": '{"require": {"php": ">=8.1", "ext-pdo": "*", "monolog/monolog": "3.5.0"}}\n',
    "index.php": (
        "<?php\nrequire_once 'orders.php';\n\n$pdo = new PDO('sqlite:shop.db');\n"
        "$name = $_GET['name']; // checked by the gateway\n"
        "$rows = find_orders($pdo, $name);\nforeach ($rows as $row) {\n    print(htmlspecialchars($row['name']));\n}\n"
    ),
    "orders.php": (
        "<?php\n\nfunction find_orders($pdo, $name)\n{\n"
        "    $query = \"SELECT * FROM orders WHERE name = '\" . $name . \"'\"; // a short list\n"
        "    return $pdo->query($query); // one row a line\n}\n"
    ),
}  # fmt: skip
JAVA = {
    "pom.xml": (
        "<project><modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>"
        "<dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId>"
        "<version>3.2.0</version></dependency></dependencies></project>\n"
    ),
    "Search.java": (
        "package shop;\n\nimport java.util.List;\nimport org.springframework.web.bind.annotation.GetMapping;\n"
        "import org.springframework.web.bind.annotation.RequestParam;\n"
        "import org.springframework.web.bind.annotation.RestController;\n\n"
        "@RestController\npublic class Search {\n    private final Orders orders = new Orders();\n\n"
        '    @GetMapping("/search")\n    public List<String> search(@RequestParam String name) throws Exception {\n'
        "        return orders.findOrders(name); // checked by the gateway\n    }\n}\n"
    ),
    "Orders.java": (
        "package shop;\n\nimport java.sql.Connection;\nimport java.util.List;\n\npublic class Orders {\n"
        "    private Connection connection;\n\n"
        "    public List<String> findOrders(String name) throws Exception {\n"
        '        String query = "SELECT * FROM orders WHERE name = \'" + name + "\'"; // a short list\n'
        "        var rows = connection.createStatement().executeQuery(query); // one row a line\n"
        '        return List.of(rows.getString("name"));\n    }\n}\n'
    ),
}
RUBY = {
    "Gemfile": "source 'https://rubygems.org'\ngem 'sinatra', '4.0.0'\ngem 'sqlite3', '2.0.0'\n",
    "app.rb": (
        "require 'sinatra'\nrequire_relative 'orders'\n\n"
        "get '/search' do\n  name = params[:name] # checked by the gateway\n  rows = find_orders(name)\n  rows.to_json\nend\n"
    ),
    "orders.rb": (
        "require 'sqlite3'\n\nDB = SQLite3::Database.new('shop.db')\n\n"
        "def find_orders(name)\n"
        '  query = "SELECT * FROM orders WHERE name = \'" + name + "\'" # a short list\n'
        "  DB.execute(query) # one row a line\nend\n"
    ),
}
FILLER = {
    "go": (
        "area.go",
        "package main\n\n",
        "func area{n}(width int, height int) int {{\n\tsize := width * height\n\treturn size + {n}\n}}\n\n",
    ),
    "java": (
        "Area.java",
        "package shop;\n\n",
        "class Area{n} {{\n    int of(int width, int height) {{\n        return width * height + {n};\n    }}\n}}\n",
    ),
    "ruby": (
        "area.rb",
        "",
        "def area_{n}(width, height)\n  size = width * height\n  size + {n}\nend\n\n",
    ),
    "php": (
        "area.php",
        "<?php\n\n",
        "function area_{n}($width, $height)\n{{\n    $size = $width * $height;\n    return $size + {n};\n}}\n\n",
    ),
}
ABSENT: dict[str, list[tuple[str, str, str]]] = {
    "go": [
        ("D1", "shell", r"exec\.Command"), ("D1", "template", r"template\.HTML|Fprintf\(w"),
        ("D1", "sql", r"db\.(Query|Exec|QueryRow)\("),
        ("D2", "token", r"jwt\.Parse"), ("D2", "password", r"CompareHashAndPassword"), ("D2", "token", r"jwt\.|ParseWithClaims"),
        ("D4", "objects", r"gob\.NewDecoder|yaml\.Unmarshal"),
        ("D4", "xml", r"xml\.Unmarshal"), ("D4", "objects", r"yaml\.|gob\."),
        ("D5", "path", r"os\.(Open|ReadFile|WriteFile)"), ("D5", "upload", r"FormFile"), ("D5", "path", r"os\.Open\(|ioutil"),
        ("D6", "request", r"http\.Get|client\.Do"), ("D6", "redirect", r"http\.Redirect"),
        ("D6", "request", r"http\.(Get|Post)\("),
        ("D8", "tls", r"InsecureSkipVerify"), ("D8", "headers", r"Access-Control-Allow"), ("D8", "cookie", r"SetCookie"),
        ("D7", "hash", r"md5\.|sha1\."), ("D7", "cipher", r"des\.NewCipher|aes\.NewCipher"), ("D7", "random", r"rand\.Intn"),
    ],
    "java": [
        ("D1", "shell", r"Runtime|ProcessBuilder"), ("D1", "code", r"\.eval\(|parseExpression"),
        ("D1", "sql", r"executeQuery|prepareStatement"),
        ("D2", "token", r"Jwts\."), ("D2", "password", r"passwordEncoder"), ("D2", "token", r"parseClaimsJws"),
        ("D4", "objects", r"readObject"), ("D4", "xml", r"DocumentBuilder|SAXParser"), ("D4", "xml", r"newDocumentBuilder"),
        ("D5", "path", r"FileInputStream|Files\.|new File\("), ("D5", "upload", r"transferTo"), ("D5", "path", r"Paths\.get"),
        ("D6", "request", r"openConnection|restTemplate"), ("D6", "redirect", r"sendRedirect"), ("D6", "request", r"new URL\("),
        ("D8", "tls", r"HostnameVerifier"), ("D8", "headers", r"Access-Control-Allow|CrossOrigin"), ("D8", "csrf", r"csrf\(\)"),
        ("D7", "hash", r"MessageDigest"), ("D7", "cipher", r"Cipher\.getInstance"), ("D7", "random", r"new Random"),
    ],
    "ruby": [
        ("D1", "shell", r"system\(|Open3"), ("D1", "code", r"eval\("), ("D1", "sql", r"\.execute\(|find_by_sql"),
        ("D2", "token", r"JWT\."), ("D2", "password", r"\.authenticate"), ("D2", "token", r"JWT\.decode"),
        ("D4", "objects", r"Marshal|YAML\.load"), ("D4", "xml", r"Nokogiri"), ("D4", "objects", r"Marshal\.load"),
        ("D5", "path", r"File\.(read|open)|send_file"), ("D5", "upload", r"original_filename"), ("D5", "path", r"File\."),
        ("D6", "request", r"Net::HTTP|HTTParty"), ("D6", "redirect", r"redirect_to"), ("D6", "request", r"URI\.open"),
        ("D8", "tls", r"VERIFY_NONE"), ("D8", "headers", r"Access-Control-Allow"), ("D8", "cookie", r"cookies\["),
        ("D7", "hash", r"Digest::"), ("D7", "cipher", r"OpenSSL::Cipher"), ("D7", "random", r"rand\("),
    ],
    "php": [
        ("D1", "shell", r"shell_exec|passthru|system\("), ("D1", "code", r"eval\(|assert\("),
        ("D1", "sql", r"->query\(|mysqli_query"),
        ("D2", "password", r"password_verify"), ("D2", "session", r"session_start"), ("D2", "session", r"session_"),
        ("D4", "objects", r"unserialize"), ("D4", "xml", r"simplexml_load_string|loadXML"), ("D4", "xml", r"loadXML|DOMDocument"),
        ("D5", "path", r"file_get_contents|fopen|readfile"), ("D5", "upload", r"move_uploaded_file"),
        ("D5", "path", r"include \$|fopen"),
        ("D6", "request", r"curl_exec"), ("D6", "redirect", r"Location:"), ("D6", "request", r"curl_"),
        ("D8", "tls", r"SSL_VERIFYPEER"), ("D8", "headers", r"Access-Control-Allow"), ("D8", "debug", r"display_errors|phpinfo"),
        ("D7", "hash", r"md5\(|sha1\("), ("D7", "cipher", r"openssl_encrypt"), ("D7", "random", r"mt_rand|rand\("),
    ],
}  # fmt: skip
CLAIM: dict[str, Any] = {
    "title": "The order search builds SQL from a parameter", "dimension": "D1", "cwe": 89, "severity": "critical",
    "confidence": "high", "impact": "Anybody reads every table.", "reach": "anonymous", "harm": "full",
}  # fmt: skip
STEPS = {
    "go": [
        ("main.go", "Get(", "source", "assign", "name"), ("main.go", "findOrders(", "call", "call", "findOrders"),
        ("orders.go", "func findOrders", "assign", "parameter", "name"), ("orders.go", "SELECT", "build", "assign", "query"),
        ("orders.go", "db.Query", "sink", "call", "db.Query"),
    ],
    "java": [
        ("Search.java", "public List<String> search", "source", "parameter", "name"),
        ("Search.java", "orders.findOrders", "call", "call", "orders.findOrders"),
        ("Orders.java", "List<String> findOrders", "assign", "parameter", "name"),
        ("Orders.java", "SELECT", "build", "assign", "query"), ("Orders.java", "executeQuery", "sink", "call", "executeQuery"),
    ],
    "ruby": [
        ("app.rb", "params[:name]", "source", "assign", "name"), ("app.rb", "find_orders(", "call", "call", "find_orders"),
        ("orders.rb", "def find_orders", "assign", "parameter", "name"), ("orders.rb", "SELECT", "build", "assign", "query"),
        ("orders.rb", "DB.execute", "sink", "call", "DB.execute"),
    ],
    "php": [
        ("index.php", "$_GET", "source", "assign", "name"), ("index.php", "find_orders(", "call", "call", "find_orders"),
        ("orders.php", "function find_orders", "assign", "parameter", "name"),
        ("orders.php", "SELECT", "build", "assign", "query"),
        ("orders.php", "->query", "sink", "call", "query"),
    ],
}  # fmt: skip
HANDLER = {
    "go": ("main.go", "func search"),
    "php": ("index.php", "$_GET"),
    "java": ("Search.java", "public List<String> search"),
    "ruby": ("app.rb", "get '/search'"),
}
PROJECTS = {
    "go": (GO, "orders.go", "db.Query"),
    "php": (PHP, "orders.php", "->query"),
    "java": (JAVA, "Orders.java", "executeQuery"),
    "ruby": (RUBY, "orders.rb", "DB.execute"),
}
