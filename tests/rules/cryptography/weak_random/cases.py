import hashlib
import random
import secrets
import string


def new_token():
    token = "".join(random.choice(string.ascii_letters) for _ in range(32))  # expect: weak-random
    return token


def api_key():
    key = hashlib.sha256(str(random.getrandbits(256)).encode()).hexdigest()  # expect: weak-random
    return key


def remember(session, cookie):
    value = str(random.random())[2:]  # expect: weak-random
    session[cookie] = value


def reset(user):
    code = random.randint(100000, 999999)  # expect: weak-random
    user.send(f"Your code is {code}")
    user.save(otp=code)


def sound():
    token = secrets.token_urlsafe(32)  # ok: weak-random
    password = "".join(random.SystemRandom().choice("abc") for _ in range(12))  # ok: weak-random
    return token, password


def colour():
    return random.choice(["red", "green"])  # ok: weak-random


def jitter(delay):
    wait = delay * random.uniform(0.5, 1.5)  # ok: weak-random
    return wait


def sample_rows(rows):
    chosen = random.sample(rows, 10)  # ok: weak-random
    return chosen


def seeded(db):
    chosen = random.randint(1, LIMIT)  # ok: weak-random
    db.session.add(Entry(number=chosen))


def first_session(user):
    session = Session(user, mood=random.choice([Mood.GOOD, Mood.BAD, Mood.NEUTRAL]))  # ok: weak-random
    return session


def numbered_session(session):
    session["id"] = random.randint(1, LIMIT)  # expect: weak-random


def short_code(user):
    otp = random.randint(100, 999)  # expect: weak-random
    user.save(otp=otp)


def new_api_key():
    return "".join(random.choices("abcdef0123456789", k=32))  # expect: weak-random


def rolled():
    return random.randint(1, 6)  # ok: weak-random


def short_pin(account):
    account.pin = str(random.randint(100, 999))  # expect: weak-random
    account.dice = random.randint(1, 6)  # ok: weak-random


def some_key(api_keys):
    api_key = random.choice(api_keys)  # ok: weak-random
    return api_key


def searched(self):
    return {"activation": random.choice(self.activation_types)}  # ok: weak-random


def invited(self):
    return {"activation_key": random.choice(self.words)}  # expect: weak-random
