"""Lines that a search for a kind of sink should match, in every language of a survey (A16, A59).

An empty search is evidence of absence only if its pattern matches a known sink. The known sinks that it matches also determine
the sub-category searched, independent of the agent's label. For languages that analysts support the lines come from their
rules; the others are listed here.
"""

from dataclasses import dataclass
from functools import cache

from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language

D1, D2, D4, D5, D6, D7, D8 = (Dimension(name) for name in ("D1", "D2", "D4", "D5", "D6", "D7", "D8"))


@dataclass(frozen=True, slots=True)
class Probe:
    """One line with a sink of a kind."""

    language: Language
    kind: str
    line: str


_LINES: dict[Language, dict[tuple[Dimension, str], tuple[str, ...]]] = {
    Language.GO: {
        (D1, "sql"): ("rows, err := db.Query(statement)", "_, err := db.Exec(statement)", "row := db.QueryRow(statement)"),
        (D1, "shell"): ('out, err := exec.Command("sh", "-c", line).Output()',),
        (D1, "template"): ("page := template.HTML(text)", 'fmt.Fprintf(w, "<b>%s</b>", text)'),
        (D2, "token"): ("token, err := jwt.Parse(text, keyFunc)",),
        (D2, "password"): ("bcrypt.CompareHashAndPassword(hash, password)",),
        (D4, "objects"): ("gob.NewDecoder(reader).Decode(&value)", "yaml.Unmarshal(data, &value)"),
        (D4, "xml"): ("xml.Unmarshal(data, &value)",),
        (D5, "path"): ("file, err := os.Open(name)", "data, err := os.ReadFile(name)", "os.WriteFile(name, data, mode)"),
        (D5, "upload"): ('file, header, err := r.FormFile("file")',),
        (D6, "request"): ("response, err := http.Get(address)", "response, err := client.Do(request)"),
        (D6, "redirect"): ("http.Redirect(w, r, address, http.StatusFound)",),
        (D7, "hash"): ("sum := md5.Sum(data)", "sum := sha1.Sum(data)"),
        (D7, "cipher"): ("block, err := des.NewCipher(key)", "block, err := aes.NewCipher(key)"),
        (D7, "random"): ("value := rand.Intn(10)",),
        (D8, "tls"): ("config := &tls.Config{InsecureSkipVerify: true}",),
        (D8, "headers"): ('w.Header().Set("Access-Control-Allow-Origin", origin)',),
        (D8, "cookie"): ("http.SetCookie(w, &http.Cookie{Name: name, Secure: true})",),
        (D8, "debug"): ("gin.SetMode(gin.DebugMode)", 'import _ "net/http/pprof"'),
    },
    Language.JAVA: {
        (D1, "sql"): ("statement.executeQuery(query);", "connection.prepareStatement(query);", "em.createNativeQuery(query);"),
        (D1, "shell"): ("Runtime.getRuntime().exec(command);", "new ProcessBuilder(command).start();"),
        (D1, "code"): ("engine.eval(script);", "parser.parseExpression(text).getValue();"),
        (D2, "token"): ("Jwts.parser().setSigningKey(key).parseClaimsJws(token);",),
        (D2, "password"): ("passwordEncoder.matches(password, stored);",),
        (D4, "objects"): ("Object value = objectInputStream.readObject();", "new XMLDecoder(stream).readObject();"),
        (D4, "xml"): ("DocumentBuilderFactory.newInstance().newDocumentBuilder();", "SAXParserFactory.newInstance();"),
        (D5, "path"): ("new FileInputStream(name);", "Files.readAllBytes(Paths.get(name));", "new File(directory, name);"),
        (D5, "upload"): ("file.transferTo(target);",),
        (D6, "request"): ("new URL(address).openConnection();", "restTemplate.getForObject(address, String.class);"),
        (D6, "redirect"): ("response.sendRedirect(address);",),
        (D7, "hash"): ('MessageDigest.getInstance("MD5");',),
        (D7, "cipher"): ('Cipher.getInstance("DES/ECB/PKCS5Padding");',),
        (D7, "random"): ("new Random().nextInt();",),
        (D8, "tls"): ("connection.setHostnameVerifier(verifier);",),
        (D8, "headers"): ('response.setHeader("Access-Control-Allow-Origin", origin);', "@CrossOrigin"),
        (D8, "cookie"): ("cookie.setSecure(true);", "cookie.setHttpOnly(true);"),
        (D8, "csrf"): ("http.csrf().disable();",),
    },
    Language.PHP: {
        (D1, "sql"): ("mysqli_query($connection, $query);", "$pdo->query($query);", "DB::select(DB::raw($query));"),
        (D1, "shell"): ("shell_exec($command);", "exec($command);", "system($command);", "passthru($command);"),
        (D1, "code"): ("eval($code);", "assert($code);"),
        (D1, "xss"): ("echo $_GET['name'];",),
        (D2, "password"): ("password_verify($password, $hash);",),
        (D2, "session"): ("session_start();",),
        (D4, "objects"): ("$value = unserialize($data);",),
        (D4, "xml"): ("simplexml_load_string($text);", "$document->loadXML($text);"),
        (D5, "path"): ("include $file;", "file_get_contents($name);", "fopen($name, 'r');", "readfile($name);"),
        (D5, "upload"): ("move_uploaded_file($from, $to);",),
        (D6, "request"): ("curl_exec($handle);", "file_get_contents($address);"),
        (D6, "redirect"): ("header('Location: ' . $address);",),
        (D7, "hash"): ("md5($password);", "sha1($password);"),
        (D7, "cipher"): ("openssl_encrypt($data, 'des-ecb', $key);",),
        (D7, "random"): ("$value = rand(0, 10);", "$value = mt_rand();"),
        (D8, "tls"): ("curl_setopt($handle, CURLOPT_SSL_VERIFYPEER, false);",),
        (D8, "headers"): ("header('Access-Control-Allow-Origin: *');",),
        (D8, "cookie"): ("setcookie($name, $value);", "session_set_cookie_params($values);"),
        (D8, "debug"): ("ini_set('display_errors', '1');", "error_reporting(E_ALL);", "phpinfo();"),
    },
    Language.RUBY: {
        (D1, "sql"): ('User.where("name = \'#{name}\'")', "connection.execute(query)", "User.find_by_sql(query)"),
        (D1, "shell"): ("system(command)", "`#{command}`", "Open3.capture2(command)", "exec(command)"),
        (D1, "code"): ("eval(code)", "object.send(params[:method])", "object.instance_eval(code)"),
        (D1, "template"): ("ERB.new(text).result", "text.html_safe", "raw(text)"),
        (D2, "token"): ("JWT.decode(token, key)",),
        (D2, "password"): ("user.authenticate(params[:password])",),
        (D4, "objects"): ("Marshal.load(data)", "YAML.load(data)"),
        (D4, "xml"): ("Nokogiri::XML(text)",),
        (D5, "path"): ("File.read(name)", "File.open(name)", "send_file name"),
        (D5, "upload"): ("params[:file].original_filename",),
        (D6, "request"): ("Net::HTTP.get(URI(address))", "URI.open(address)", "HTTParty.get(address)"),
        (D6, "redirect"): ("redirect_to params[:to]",),
        (D7, "hash"): ("Digest::MD5.hexdigest(text)", "Digest::SHA1.hexdigest(text)"),
        (D7, "cipher"): ("OpenSSL::Cipher.new('des-ecb')",),
        (D7, "random"): ("rand(10)",),
        (D8, "tls"): ("http.verify_mode = OpenSSL::SSL::VERIFY_NONE",),
        (D8, "headers"): ("response.headers['Access-Control-Allow-Origin'] = origin",),
        (D8, "cookie"): ("cookies[:name] = { value: value, secure: true }",),
        (D8, "csrf"): ("skip_before_action :verify_authenticity_token", "protect_from_forgery"),
        (D8, "debug"): ("config.consider_all_requests_local = true",),
    },
}  # fmt: skip


@cache
def probes(dimension: Dimension) -> tuple[Probe, ...]:
    """Every known sink of a dimension, in every language."""
    found: dict[Probe, None] = {}
    for each in load_rules():
        rule = each.rule
        if isinstance(rule, FlowRule) and rule.dimension is dimension:
            calls = {sink.call for sink in rule.sinks}
            lines = [f"    result = {call.replace('*', 'receiver')}(value)" for call in sorted(calls)]
            found.update({Probe(language, rule.kind, line): None for language in rule.languages for line in lines})
    for language, kinds in _LINES.items():
        found.update(
            {Probe(language, kind, line): None for (at, kind), lines in kinds.items() if at is dimension for line in lines}
        )
    return tuple(found)


@cache
def all_probes() -> tuple[tuple[Dimension, Probe], ...]:
    """Every known sink of every dimension."""
    return tuple((dimension, probe) for dimension in Dimension for probe in probes(dimension))
