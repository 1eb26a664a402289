package orders

import (
	"crypto/aes"
	"crypto/des"
	"crypto/md5"
	"crypto/tls"
	"database/sql"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"html"
	"math/rand"
	"net/http"
	_ "net/http/pprof" // expect: go-profiler-exposed
	"os"
	"os/exec"
	"path/filepath"
	"text/template"

	"github.com/golang-jwt/jwt/v5"
)

import _ "embed" // ok: go-profiler-exposed

func find(w http.ResponseWriter, r *http.Request, db *sql.DB) {
	name := r.FormValue("name")
	db.Query("SELECT * FROM orders WHERE name = '" + name + "'") // expect: go-sql-injection
	query := fmt.Sprintf("SELECT * FROM orders WHERE name = '%s'", name)
	db.Query(query)                                         // expect: go-sql-injection
	db.Query("SELECT * FROM orders WHERE name = ?", name)   // ok: go-sql-injection
	exec.Command("sh", "-c", "convert "+name).Run()         // expect: go-command-injection
	exec.Command("convert", name).Run()                     // ok: go-command-injection
	fmt.Fprintf(w, "<p>%s</p>", name)                       // expect: go-cross-site-scripting
	fmt.Fprintf(w, "<p>%s</p>", html.EscapeString(name))    // ok: go-cross-site-scripting
	os.ReadFile("files/" + name)                            // expect: go-path-traversal
	os.ReadFile("files/" + filepath.Base(name))             // ok: go-path-traversal
	http.Get("https://" + name)                             // expect: go-ssrf
	http.Get("https://api.example/")                        // ok: go-ssrf
	http.Redirect(w, r, r.URL.Query().Get("next"), 302)     // expect: go-open-redirect
	http.Redirect(w, r, "/home", 302)                       // ok: go-open-redirect
	gob.NewDecoder(r.Body).Decode(&query)                   // expect: go-unsafe-deserialisation
	json.NewDecoder(r.Body).Decode(&query)                  // ok: go-unsafe-deserialisation
	w.Header().Set("Access-Control-Allow-Origin", "*")      // expect: go-cors-everyone
	w.Header().Set("Access-Control-Allow-Origin", "https://shop.example") // ok: go-cors-everyone
}

func page(w http.ResponseWriter, t *template.Template, file *os.File) {
	t.Execute(w, nil)    // expect: go-plain-text-template
	t.Execute(file, nil) // ok: go-plain-text-template
}

func keys(password string, payload []byte, token *jwt.Token, key []byte) {
	md5.Sum([]byte(password))         // expect: go-weak-password-hash
	md5.Sum(payload)                  // ok: go-weak-password-hash
	des.NewCipher(key)                // expect: go-weak-cipher
	aes.NewCipher(key)                // ok: go-weak-cipher
	resetToken := rand.Intn(999999)   // expect: go-guessable-secret
	shelf := rand.Intn(9)             // ok: go-guessable-secret
	token.SignedString([]byte("hunter2hunter2")) // expect: go-key-in-source
	token.SignedString(key)           // ok: go-key-in-source
	_ = tls.Config{InsecureSkipVerify: true}  // expect: go-certificate-check-off
	_ = tls.Config{InsecureSkipVerify: false} // ok: go-certificate-check-off
	token.SignedString(jwt.UnsafeAllowNoneSignatureType) // expect: go-jwt-unverified
	jwt.NewWithClaims(jwt.SigningMethodHS256, nil)       // ok: go-jwt-unverified
	_ = http.Cookie{Name: "sid", HttpOnly: false}        // expect: go-cookie-flag-off
	_ = http.Cookie{Name: "sid", HttpOnly: true, Secure: true} // ok: go-cookie-flag-off
	fmt.Println(resetToken, shelf)
}
