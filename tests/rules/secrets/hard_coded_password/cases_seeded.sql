CREATE TABLE users (name TEXT, password TEXT);
INSERT INTO users (name, password) VALUES
('admin', 'adminpass'), -- expect: hard-coded-password
('other', 'otherpass');

INSERT INTO settings (name, value) VALUES ('password', 'length'); -- ok: hard-coded-password
INSERT INTO members (name, password) VALUES ('eve', '$2b$12$KIXQ0m3bUOQF1mPq0fE2xuK3V3b8E7cJ8m6bI7n0yq3p5nq3t0X2K'); -- ok: hard-coded-password
