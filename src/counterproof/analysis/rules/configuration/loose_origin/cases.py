TRUSTED_ORIGINS = {"https://example.com"}


def contains(request):
    referer = request.headers.get("Referer", "")
    return "example.com" in referer  # expect: loose-origin


def begins(origin):
    return origin.startswith("https://example.com")  # expect: loose-origin


def listed(origin):
    return origin in TRUSTED_ORIGINS  # ok: loose-origin


def closed(origin):
    return origin.startswith("https://example.com/")  # ok: loose-origin
