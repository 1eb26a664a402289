<?php
function orders($db, $handle) {
    $name = $_GET["name"];
    mysqli_query($db, "SELECT * FROM orders WHERE name = '" . $name . "'"); // expect: php-sql-injection
    $db->query("SELECT * FROM orders WHERE name = '$name'"); // expect: php-sql-injection
    $db->query("SELECT * FROM orders WHERE id = " . intval($_GET["id"])); // ok: php-sql-injection
    $statement = $db->prepare("SELECT * FROM orders WHERE name = ?"); // ok: php-sql-injection
    system("convert " . $name); // expect: php-command-injection
    system("convert " . escapeshellarg($name)); // ok: php-command-injection
    eval($name); // expect: php-code-evaluation
    eval("return 1;"); // ok: php-code-evaluation
    echo "<p>" . $name . "</p>"; // expect: php-cross-site-scripting
    echo "<p>" . htmlspecialchars($name) . "</p>"; // ok: php-cross-site-scripting
    include "pages/" . $name; // expect: php-file-inclusion
    include "pages/home.php"; // ok: php-file-inclusion
    readfile("files/" . $name); // expect: php-path-traversal
    readfile("files/" . basename($name)); // ok: php-path-traversal
    move_uploaded_file($_FILES["f"]["tmp_name"], "up/" . $_FILES["f"]["name"]); // expect: php-unrestricted-upload
    move_uploaded_file($_FILES["f"]["tmp_name"], "up/" . bin2hex(random_bytes(8))); // ok: php-unrestricted-upload
    curl_setopt($handle, CURLOPT_URL, $_POST["url"]); // expect: php-ssrf
    curl_setopt($handle, CURLOPT_URL, "https://api.example/"); // ok: php-ssrf
    header("Location: " . $_GET["next"]); // expect: php-open-redirect
    header("Location: /home"); // ok: php-open-redirect
    unserialize($_COOKIE["basket"]); // expect: php-unsafe-deserialisation
    unserialize($_COOKIE["basket"], ["allowed_classes" => false]); // ok: php-unsafe-deserialisation
    return $statement;
}

function settings($password, $payload, $key, $handle, $document, $claims) {
    $document->loadXML($payload, LIBXML_NOENT | LIBXML_DTDLOAD); // expect: php-xml-external-entities
    $document->loadXML($payload); // ok: php-xml-external-entities
    md5($password); // expect: php-weak-password-hash
    md5($payload); // ok: php-weak-password-hash
    password_hash($password, PASSWORD_DEFAULT); // ok: php-weak-password-hash
    openssl_encrypt($payload, "aes-128-ecb", $key); // expect: php-weak-cipher
    openssl_encrypt($payload, "aes-256-gcm", $key); // ok: php-weak-cipher
    $resetToken = mt_rand(); // expect: php-guessable-secret
    $csrfToken = bin2hex(random_bytes(16)); // ok: php-guessable-secret
    $shelf = rand(1, 9); // ok: php-guessable-secret
    JWT::encode($claims, "hunter2hunter2", "HS256"); // expect: php-key-in-source
    JWT::encode($claims, $key, "HS256"); // ok: php-key-in-source
    curl_setopt($handle, CURLOPT_SSL_VERIFYPEER, false); // expect: php-certificate-check-off
    curl_setopt($handle, CURLOPT_SSL_VERIFYPEER, true); // ok: php-certificate-check-off
    ini_set("display_errors", 1); // expect: php-debug-mode
    ini_set("display_errors", 0); // ok: php-debug-mode
    setcookie("sid", $resetToken, 0, "/", "", false, true); // expect: php-cookie-flag-off
    setcookie("sid", $resetToken, 0, "/", "", true, true); // ok: php-cookie-flag-off
    header("Access-Control-Allow-Origin: *"); // expect: php-cors-everyone
    header("Access-Control-Allow-Origin: https://shop.example"); // ok: php-cors-everyone
    return [$csrfToken, $shelf];
}
