INSERT INTO usuarios (usuario, contrasena) VALUES ('paco', 'megustan1980'); -- expect: hard-coded-password
