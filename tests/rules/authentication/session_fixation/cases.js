function handleLogin(req, res) {
  check(req.body.name, req.body.password, (err, user) => {
    if (err) return res.redirect("/login");
    req.session.userId = user.id; // expect: javascript-session-fixation
    res.redirect("/");
  });
}

function signIn(req, res) {
  verifyPassword(req.body).then((user) => {
    req.session.regenerate(() => {
      req.session.user = user; // ok: javascript-session-fixation
      res.redirect("/");
    });
  });
}

function remember(req, res) {
  req.session.theme = req.body.theme;
  res.end();
}

function logout(req, res) {
  req.session.userId = null; // ok: javascript-session-fixation
  res.redirect("/login");
}

function Handlers(db) {
  this.login = (req, res) => {
    check(req.body.name, req.body.password, (err, user) => {
      req.session.userId = user.id; // expect: javascript-session-fixation
      res.redirect("/");
    });
  };

  this.signUp = (req, res) => {
    req.session.regenerate(() => res.redirect("/"));
  };
}
