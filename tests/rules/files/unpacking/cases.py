import os
import tarfile
import zipfile


def install(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder)  # expect: unchecked-unpacking


def one_by_one(path, folder):
    archive = tarfile.open(path, "r:gz")
    for member in archive:
        archive.extract(member, folder)  # expect: unchecked-unpacking


def filtered(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")  # ok: unchecked-unpacking


def chosen(path, folder, members):
    with tarfile.open(path) as archive:
        archive.extractall(folder, members)  # ok: unchecked-unpacking


def looked_at(path, folder):
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            target = os.path.realpath(os.path.join(folder, member.name))
            if os.path.commonpath([target, folder]) != folder:
                raise ValueError(member.name)
        archive.extractall(folder)  # ok: unchecked-unpacking


def zipped(path, folder):
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)  # ok: unchecked-unpacking


def by_hand(path, folder):
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            target = os.path.join(folder, name)  # expect: unchecked-unpacking
            with open(target, "wb") as handle:
                handle.write(archive.read(name))


def base_names(path, folder):
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            target = os.path.join(folder, os.path.basename(name))  # ok: unchecked-unpacking
            with open(target, "wb") as handle:
                handle.write(archive.read(name))


def in_a_variable(path, folder):
    with tarfile.open(path) as archive:
        members = archive.getmembers()
        for member in members:
            name = member.name
            target = os.path.join(folder, name)  # expect: unchecked-unpacking
            with open(target, "wb") as handle:
                handle.write(archive.extractfile(member).read())


def asked_for(archive, name, folder):
    member = archive.getmember(name)
    target = os.path.join(folder, name)  # expect: unchecked-unpacking
    with open(target, "wb") as handle:
        handle.write(archive.extractfile(member).read())


def asked_for_and_checked(archive, name, folder):
    member = archive.getmember(name)
    target = os.path.join(folder, name)  # ok: unchecked-unpacking
    if not os.path.abspath(target).startswith(os.path.join(folder, "")):
        raise ValueError(name)
    with open(target, "wb") as handle:
        handle.write(archive.extractfile(member).read())


class Kept:
    def __init__(self, path):
        self.archive = tarfile.open(path)

    def unpack(self, folder):
        self.archive.extractall(folder)  # expect: unchecked-unpacking


def one_folder(path, folder, subfolder):
    archive = zipfile.ZipFile(path)
    for name in archive.namelist():
        if not name.startswith(subfolder):
            continue
        target = os.path.join(folder, name[len(subfolder) :])  # expect: unchecked-unpacking
        with open(target, "wb") as handle:
            handle.write(archive.read(name))


def without_absolute(path, folder):
    archive = zipfile.ZipFile(path)
    for name in archive.namelist():
        if name.startswith(("/", "..")):
            continue
        target = os.path.join(folder, name)  # ok: unchecked-unpacking
        with open(target, "wb") as handle:
            handle.write(archive.read(name))


def links_only(path, folder):
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            if member.issym() or member.islnk():
                raise ValueError(member.name)
        archive.extractall(folder)  # expect: unchecked-unpacking


def another_path_is_checked(path, folder):
    if not os.path.isabs(folder) or not path.startswith("/srv/"):
        raise ValueError(folder)
    with tarfile.open(path) as archive:
        archive.extractall(folder)  # expect: unchecked-unpacking


def every_member_is_checked(path, folder):
    root = os.path.realpath(folder)
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            target = os.path.realpath(os.path.join(root, member.name))
            if os.path.commonpath([root, target]) != root:
                raise ValueError(member.name)
        archive.extractall(folder)  # ok: unchecked-unpacking


def strip_first(member, path):
    member.name = member.name.split("/", 1)[1]
    return member


def stay_inside(member, path):
    return tarfile.data_filter(member, path)


def renamed(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter=strip_first)  # expect: unchecked-unpacking


def confined(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter=stay_inside)  # ok: unchecked-unpacking


def trusted(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="fully_trusted")  # expect: unchecked-unpacking


def filtered(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")  # ok: unchecked-unpacking


def listed(path, folder):
    with tarfile.open(path) as archive:
        return [os.path.join(folder, name) for name in archive.getnames()]  # ok: unchecked-unpacking
