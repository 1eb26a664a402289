import java.io.*;
import java.net.URL;
import java.nio.file.Paths;
import java.security.*;
import java.sql.*;
import java.util.*;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import javax.servlet.http.*;
import javax.xml.parsers.DocumentBuilderFactory;
import org.springframework.web.bind.annotation.*;

@CrossOrigin(origins = "https://shop.example") // ok: java-cors-everyone
class Orders {
    void find(HttpServletRequest request, HttpServletResponse response, Statement statement, Connection connection) throws Exception {
        String name = request.getParameter("name");
        statement.executeQuery("SELECT * FROM orders WHERE name = '" + name + "'"); // expect: java-sql-injection
        String query = String.format("SELECT * FROM orders WHERE name = '%s'", name);
        statement.executeQuery(query); // expect: java-sql-injection
        PreparedStatement prepared = connection.prepareStatement("SELECT * FROM orders WHERE name = ?"); // ok: java-sql-injection
        Runtime.getRuntime().exec("convert " + name); // expect: java-command-injection
        Runtime.getRuntime().exec("sync"); // ok: java-command-injection
        response.getWriter().println("<p>" + name + "</p>"); // expect: java-cross-site-scripting
        response.getWriter().println(Encode.forHtml(name)); // ok: java-cross-site-scripting
        new FileInputStream("files/" + name); // expect: java-path-traversal
        new FileInputStream("files/" + FilenameUtils.getName(name)); // ok: java-path-traversal
        new URL(name).openStream(); // expect: java-ssrf
        new URL("https://api.example/").openStream(); // ok: java-ssrf
        response.sendRedirect(name); // expect: java-open-redirect
        response.sendRedirect("/home"); // ok: java-open-redirect
    }

    @GetMapping("/calculate")
    Object calculate(@RequestParam String formula, ExpressionParser parser) {
        parser.parseExpression("1 + 1"); // ok: java-expression-evaluation
        return parser.parseExpression(formula).getValue(); // expect: java-expression-evaluation
    }

    @GetMapping("/file/{name}")
    Object file(@PathVariable("name") String name) {
        return Paths.get("files", name); // expect: java-path-traversal
    }
}

class Storage {
    Object read(InputStream stream, Mapper mapper) throws Exception {
        ObjectInputStream objects = new ObjectInputStream(stream);
        mapper.readValue(stream, Orders.class); // ok: java-unsafe-deserialisation
        return objects.readObject(); // expect: java-unsafe-deserialisation
    }

    void parse() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance(); // expect: java-xml-external-entities
        factory.newDocumentBuilder();
    }

    void parseSafely() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance(); // ok: java-xml-external-entities
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        factory.newDocumentBuilder();
    }

    void keys(Cookie cookie, SecureRandom secure) throws Exception {
        MessageDigest.getInstance("MD5"); // expect: java-weak-password-hash
        MessageDigest.getInstance("SHA-256"); // ok: java-weak-password-hash
        Cipher.getInstance("DES/CBC/PKCS5Padding"); // expect: java-weak-cipher
        Cipher.getInstance("AES/ECB/PKCS5Padding"); // expect: java-weak-cipher
        Cipher.getInstance("AES/GCM/NoPadding"); // ok: java-weak-cipher
        int resetToken = new Random().nextInt(999999); // expect: java-guessable-secret
        int otp = secure.nextInt(999999); // ok: java-guessable-secret
        int shelf = new Random().nextInt(9); // ok: java-guessable-secret
        new SecretKeySpec("0123456789abcdef".getBytes(), "AES"); // expect: java-key-in-source
        new SecretKeySpec(System.getenv("KEY").getBytes(), "AES"); // ok: java-key-in-source
        cookie.setHttpOnly(false); // expect: java-cookie-flag-off
        cookie.setHttpOnly(true); // ok: java-cookie-flag-off
    }

    void trust(Builder builder, HttpSecurity http, CorsRegistration registration) throws Exception {
        builder.setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE); // expect: java-certificate-check-off
        builder.setSSLHostnameVerifier(new DefaultHostnameVerifier()); // ok: java-certificate-check-off
        builder.sign(Algorithm.none()); // expect: java-jwt-unverified
        builder.sign(Algorithm.HMAC256(System.getenv("KEY"))); // ok: java-jwt-unverified
        registration.allowedOrigins("*"); // expect: java-cors-everyone
        registration.allowedOrigins("https://shop.example"); // ok: java-cors-everyone
        http.csrf().disable(); // expect: java-csrf-off
        http.csrf().ignoringAntMatchers("/hook"); // ok: java-csrf-off
    }
}
