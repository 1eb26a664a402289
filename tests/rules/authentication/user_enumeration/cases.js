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

app.post("/login", async (req, res) => {
  const user = await find(req.body.name);
  if (!user) return res.status(400).send("No user exists by that name"); // expect: javascript-user-enumeration
  if (!check(user, req.body.password)) return res.status(400).send("Incorrect credentials");
  res.json({ token: sign(user) });
});

app.post("/api/login", async (req, res) => {
  const user = await find(req.body.name);
  if (!isAddress(req.body.email)) return res.status(400).send("Invalid email format"); // ok: javascript-user-enumeration
  if (!user) console.log("login: user not found"); // ok: javascript-user-enumeration
  if (!user || !check(user, req.body.password)) return res.status(400).send("Incorrect credentials");
  res.json({ token: sign(user) });
});

async function authenticate(email, password) {
  const user = await find(email);
  if (!user) throw new Refused(USER_NOT_FOUND); // expect: javascript-user-enumeration
  if (!(await compare(password, user.password))) throw new Refused(WRONG_PASSWORD);
  return user;
}

app.post("/forgot-password", async (req, res) => {
  const user = await find(req.body.email);
  if (!user) return res.status(404).json({ error: "Email not found" }); // expect: javascript-user-enumeration
  res.json({ message: "Check your mail" });
});

app.post("/forgot", async (req, res) => {
  const user = await find(req.body.email);
  if (user) await write(user);
  res.json({ message: "If we know the address, a letter was sent" }); // ok: javascript-user-enumeration
});

app.post("/session/login", async (req, res) => {
  const result = await service.login(req.body.email, req.body.password);
  if (!result.user) throw new Error("login failed: no user data returned"); // ok: javascript-user-enumeration
  if (!result.token) throw new Error("login failed: no token returned");
  res.redirect("/");
});
