function login(req, res) {
  find(req.body.name, (user) => {
    if (!user) return res.render("login", { error: "Invalid username" }); // expect: javascript-user-enumeration
    if (!check(user, req.body.password)) return res.render("login", { error: "Invalid password" });
    res.redirect("/");
  });
}

function signIn(req, res) {
  find(req.body.name, (user) => {
    if (!user) return res.render("login", { error: "Invalid username or password" }); // ok: javascript-user-enumeration
    if (!check(user, req.body.password)) return res.render("login", { error: "Invalid username or password" });
    res.redirect("/");
  });
}
