"""Signs in code of other languages, as data: content types, domains worth a look, files that matter most.

Always holds: a sign is an import, a dependency or a text that only such code has. Does not belong here: what follows from them.
"""

from counterproof.analysis.outline.words import vocabulary
from counterproof.model.survey import Language

CONTENT: dict[str, tuple[bytes, ...]] = {
    "json": (
        b"res.json(", b"express.json(", b"JSON.parse(", b"ctx.body", b"@RestController", b"@ResponseBody", b"@RequestBody",
        b"encoding/json", b"c.JSON(", b".JSON(", b"json_encode(", b"json_decode(", b"JsonResponse", b"->json(",
        b"render json:", b"JSON.generate", b"to_json", b"NextResponse.json", b"@Body(",
    ),
    "form": (
        b"urlencoded(", b"req.body", b"@ModelAttribute", b"getParameter(", b"r.FormValue(", b"PostForm(", b"$_POST",
        b"params[:", b"->input(", b"formData(",
    ),
    "multipart": (
        b"multer", b"MultipartFile", b"FormFile(", b"$_FILES", b"UploadedFile", b"multipart/form-data", b"busboy",
        b"formidable", b"has_one_attached", b"->file(", b"@UploadedFile",
    ),
    "html": (
        b"res.render(", b"res.sendFile(", b"html/template", b"Thymeleaf", b"ModelAndView", b"<!DOCTYPE html", b"return view(",
        b"$this->render(", b"<html", b"c.HTML(", b"import org.springframework.ui.Model", b"redirect_to", b"erb ",
    ),
    "xml": (
        b"xml2js", b"libxmljs", b"DocumentBuilder", b"SAXParser", b"XMLInputFactory", b"encoding/xml", b"simplexml_load",
        b"DOMDocument", b"Nokogiri", b"REXML", b"fast-xml-parser",
    ),
    "yaml": (
        b"js-yaml", b"require('yaml')", b"snakeyaml", b"gopkg.in/yaml", b"yaml_parse", b"YAML.load",
        b"Symfony\\Component\\Yaml",
    ),
    "csv": (b"csv-parse", b"fast-csv", b"opencsv", b"encoding/csv", b"fgetcsv(", b"CSV.parse"),
    "event stream": (b"text/event-stream", b"SseEmitter", b"@Sse("),
    "websocket": (b"socket.io", b"WebSocket", b"gorilla/websocket", b"ActionCable", b"@ServerEndpoint"),
    "graphql": (b"graphql",),
    "protobuf": (b"google.golang.org/grpc", b"io.grpc.", b"@grpc/grpc-js", b"protobuf"),
    "serialised objects": (b"ObjectInputStream", b"readObject(", b"unserialize(", b"Marshal.load"),
    "archive": (b"adm-zip", b"archive/zip", b"ZipInputStream", b"ZipArchive", b"Zip::File", b"unzipper", b"archive/tar"),
    "image": (b"require('sharp')", b"imagecreatefrom", b"MiniMagick", b"ImageIO.read"),
}  # fmt: skip

TRIGGERS: dict[str, frozenset[str]] = {
    "sql-injection": vocabulary(
        "sequelize knex pg mysql mysql2 typeorm sqlite3 better-sqlite3 mssql oracledb @prisma/client prisma drizzle-orm "
        "java.sql javax.persistence jakarta.persistence org.hibernate org.mybatis org.springframework.jdbc database/sql "
        "gorm.io/gorm github.com/jinzhu/gorm github.com/jmoiron/sqlx github.com/lib/pq github.com/jackc/pgx "
        "doctrine/orm doctrine/dbal laravel/framework rails activerecord sequel org.springframework.boot:spring-boot- "
        "starter-data-jpa"
    ),
    "nosql-injection": vocabulary(
        "mongoose mongodb mongoid redis ioredis go.mongodb.org/mongo-driver org.springframework.data.mongodb "
        "@elastic/elasticsearch"
    ),
    "ldap-injection": vocabulary("ldapjs activedirectory javax.naming net-ldap github.com/go-ldap/ldap symfony/ldap"),
    "llm-security": vocabulary(
        "openai @anthropic-ai/sdk langchain @langchain/core ai ollama @google/generative-ai dev.langchain4j "
        "org.springframework.ai github.com/sashabaranov/go-openai openai-php/client ruby-openai"
    ),
    "xxe": vocabulary("libxmljs xml2js fast-xml-parser javax.xml.parsers org.jdom2 org.dom4j encoding/xml nokogiri ox"),
    "template-injection": vocabulary(
        "ejs pug handlebars nunjucks mustache org.thymeleaf freemarker.template org.apache.velocity text/template "
        "twig/twig smarty/smarty liquid slim haml"
    ),
    "jwt": vocabulary(
        "jsonwebtoken express-jwt jose passport-jwt @nestjs/jwt io.jsonwebtoken com.auth0.jwt github.com/dgrijalva/jwt- "
        "go github.com/golang-jwt/jwt firebase/php-jwt lcobucci/jwt tymon/jwt-auth jwt ruby-jwt"
    ),
    "ssrf": vocabulary(
        "axios node-fetch got request superagent needle undici guzzlehttp/guzzle httparty faraday rest-client org.apache.http"
    ),
    "deserialisation": vocabulary(
        "node-serialize serialize-javascript js-yaml java.io.ObjectInputStream com.thoughtworks.xstream "
        "org.yaml.snakeyaml encoding/gob com.esotericsoftware.kryo yaml psych"
    ),
    "crypto": vocabulary(
        "crypto bcrypt bcryptjs argon2 crypto-js node-forge java.security javax.crypto golang.org/x/crypto openssl "
        "digest org.bouncycastle"
    ),
    "command-injection": vocabulary(
        "child_process shelljs execa os/exec java.lang.ProcessBuilder symfony/process open3 shellwords"
    ),
    "graphql": vocabulary(
        "graphql apollo-server @apollo/server type-graphql com.graphql-java graphql-ruby github.com/99designs/gqlgen"
    ),
    "oauth": vocabulary(
        "passport passport-oauth2 oauth2-server next-auth golang.org/x/oauth2 doorkeeper league/oauth2-server omniauth"
    ),
    "websocket": vocabulary("ws socket.io github.com/gorilla/websocket cboden/ratchet actioncable"),
}

SECURE = vocabulary(
    "crypto bcrypt bcryptjs argon2 jsonwebtoken jose passport express-jwt express-session java.security "
    "javax.crypto org.springframework.security golang.org/x/crypto openssl bcrypt-ruby jwt firebase io.jsonwebtoken"
)
DATA = vocabulary(
    "sequelize knex pg mysql mysql2 typeorm mongoose mongodb sqlite3 better-sqlite3 redis ioredis @prisma/client "
    "java.sql javax.persistence jakarta.persistence org.hibernate org.springframework.jdbc org.springframework.data "
    "database/sql gorm.io/gorm github.com/jinzhu/gorm github.com/jmoiron/sqlx github.com/jackc/pgx "
    "go.mongodb.org/mongo-driver"
)
DATA_MARKS: dict[Language, tuple[bytes, ...]] = {
    Language.PHP: (b"new PDO(", b"mysqli", b"DB::", b"extends Model", b"EntityManager", b"mysql_query(", b"pg_query("),
    Language.RUBY: (b"ActiveRecord::", b"< ApplicationRecord", b".find_by_sql", b"connection.execute"),
}
SECURE_MARKS: dict[Language, tuple[bytes, ...]] = {
    Language.PHP: (b"password_hash(", b"password_verify(", b"openssl_", b"md5(", b"session_start(", b"Hash::", b"Auth::"),
    Language.RUBY: (b"has_secure_password", b"OpenSSL::", b"Digest::", b"JWT.", b"BCrypt"),
}
CONFIG_FILES = (
    "application.properties", "application.yml", "application.yaml", "web.xml", "config.js", "config.ts", "next.config.js",
    "php.ini", ".htaccess", "security.yaml", "routes.rb", "secrets.yml", "database.yml", "app.php", "wp-config.php", "config.php",
)  # fmt: skip
