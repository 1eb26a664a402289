"""Pictures and themes: keeping what was uploaded, unpacking archives, thumbnails."""

import hashlib
import os
import subprocess
import tarfile
import uuid
import zipfile

from flask import current_app
from werkzeug.utils import secure_filename

IMAGE_TYPES = (".png", ".jpg", ".jpeg", ".webp")
LARGEST_MEMBER = 4 * 1024 * 1024
MOST_MEMBERS = 500


def save_product_image(file):
    """Keep a product picture; the name of the kept file is returned."""
    folder = current_app.config["UPLOAD_DIR"]
    path = os.path.join(folder, file.filename)
    file.save(path)
    return file.filename


def thumbnail(name):
    """Make the small picture that lists show."""
    source = os.path.join(current_app.config["UPLOAD_DIR"], name)
    os.system(f"convert {source} -resize 200x200 {source}.thumb.png")
    return name + ".thumb.png"


def save_logo(file):
    """Keep the shop's logo; None when it is no picture."""
    extension = os.path.splitext(secure_filename(file.filename or ""))[1].lower()
    if extension not in IMAGE_TYPES:
        return None
    name = uuid.uuid4().hex + extension
    file.save(os.path.join(current_app.config["UPLOAD_DIR"], name))
    return name


def unpack_images(archive):
    """Unpack a ZIP of product pictures; the names written are returned."""
    written = []
    with zipfile.ZipFile(archive) as bundle:
        for member in bundle.infolist()[:MOST_MEMBERS]:
            if member.is_dir() or member.file_size > LARGEST_MEMBER:
                continue
            target = os.path.join(current_app.config["UPLOAD_DIR"], member.filename)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as output:
                output.write(bundle.read(member))
            written.append(member.filename)
    return written


def small_version(name):
    """Make a medium picture of a file that the shop named itself."""
    source = os.path.join(current_app.config["UPLOAD_DIR"], os.path.basename(name))
    subprocess.run(["convert", source, "-resize", "640x640", source + ".medium.png"], check=False, timeout=30)
    return os.path.basename(source) + ".medium.png"


def unpack_theme(archive, theme):
    """Unpack a theme (tar) below the theme folder."""
    folder = os.path.join(current_app.config["THEME_DIR"], secure_filename(theme))
    os.makedirs(folder, exist_ok=True)
    with tarfile.open(fileobj=archive) as bundle:
        members = [member for member in bundle if member.size <= LARGEST_MEMBER][:MOST_MEMBERS]
        bundle.extractall(folder, members=members, filter="data")
    return len(members)


def unpack_translations(archive):
    """Unpack a ZIP of translation files, leaving out what would land elsewhere."""
    folder = os.path.realpath(current_app.config["THEME_DIR"])
    written = 0
    with zipfile.ZipFile(archive) as bundle:
        for member in bundle.infolist()[:MOST_MEMBERS]:
            target = os.path.realpath(os.path.join(folder, member.filename))
            if os.path.commonpath((folder, target)) != folder or member.is_dir() or member.file_size > LARGEST_MEMBER:
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as output:
                output.write(bundle.read(member))
            written += 1
    return written


def etag(content):
    return hashlib.md5(content, usedforsecurity=False).hexdigest()
