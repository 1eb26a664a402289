export const NUMBERS = {
  PT: '620',
  PW: '585', // ok: hard-coded-password
  PY: '600',
}

export const store = {
  user: 'keeper',
  host: 'db.shop.example',
  PW: 'w1nter-harbour', // expect: hard-coded-password
  port: 5432,
}

export const LOGIN_METHOD_PASSWORD = 'password' // ok: hard-coded-password
export const DB_PASSWORD = 'w1nter-harbour' // expect: hard-coded-password
