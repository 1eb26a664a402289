const db = require("./db");

db.run(`INSERT OR IGNORE INTO users (username, password) VALUES ('admin', 'hunter22')`); // expect: hard-coded-password
db.run("INSERT INTO users (username, password) VALUES (?, ?)", [name, digest]); // ok: hard-coded-password
db.run(`INSERT INTO users (username, password) VALUES ('${name}', '${digest}')`); // ok: hard-coded-password
