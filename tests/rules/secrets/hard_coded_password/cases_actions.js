module.exports = {
  USER_PASSWORD_UPDATE__SUCCESS: "USER_PASSWORD_UPDATE__SUCCESS", // ok: hard-coded-password
  DB_PASSWORD: "kestrel-93-lagoon", // expect: hard-coded-password
};
