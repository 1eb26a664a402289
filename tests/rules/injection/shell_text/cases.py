import os
import shlex
import subprocess


def clone(repository, folder):
    subprocess.run(f"git clone {repository} {folder}", shell=True, check=True)  # expect: shell-text


def synchronise(repo):
    command = "rsync -a %s %s" % (repo.mirror, repo.path)
    os.system(command)  # expect: shell-text


def listing(options):
    return os.popen("ls " + options["folder"]).read()  # expect: shell-text


def quoted(repository):
    subprocess.run(f"git clone {shlex.quote(repository)}", shell=True, check=True)  # ok: shell-text


def a_list(repository):
    subprocess.run(["git", "clone", repository], check=True)  # ok: shell-text


def fixed():
    os.system("sync")  # ok: shell-text


def numbers(port: int):
    os.system(f"fuser -k {port}/tcp")  # ok: shell-text


def whole(command):
    os.system(command)  # ok: shell-text


def constant():
    folder = "/srv"
    os.system("ls " + folder)  # ok: shell-text


def after_dash_c(deps):
    subprocess.run(["bash", "-c", f"pip install {deps}"], check=True)  # expect: shell-text


def grown(options):
    command = "tar cf - ."
    command += " --exclude=%s" % options.exclude
    os.system(command)  # expect: shell-text


def script():
    subprocess.run(["sh", "-c", "exec true"], check=True)  # ok: shell-text


def twice(folder, run_cmd):
    command = f"ls {folder}"
    run_cmd(command)  # expect: shell-text
    command = f"ls {shlex.quote(folder)}"
    run_cmd(command)  # ok: shell-text


class Finder:
    def _place_of(self, name):
        return os.popen(f"which {name}").read()  # ok: shell-text

    def _folder_of(self, name):
        return os.popen(f"dirname {name}").read()  # expect: shell-text

    def all(self, wanted):
        return self._place_of("tar"), self._place_of("rsync"), self._folder_of("tar"), self._folder_of(wanted)


def asking_script(self, path):
    path.write_text(f"#!/bin/sh\necho '{self.passphrase}'\n")  # expect: shell-text
    path.write_text(f"#!/bin/sh\necho {shlex.quote(self.passphrase)}\n")  # ok: shell-text
    path.write_text(f"#!/usr/bin/env python\nprint('{self.passphrase}')\n")  # ok: shell-text


def installed(environment):
    wanted = " ".join(environment.build + environment.packages)
    subprocess.run(["bash", "-c", f"pip install {wanted}"], check=True)  # expect: shell-text
    quoted = " ".join(shlex.quote(each) for each in environment.packages)
    subprocess.run(["bash", "-c", f"pip install {quoted}"], check=True)  # ok: shell-text


def with_options(settings, folder):
    os.system("createrepo %s %s" % (settings["createrepo_flags"], shlex.quote(folder)))  # ok: shell-text


def hook(settings, user):
    command = settings.hook.replace("%u", user.name) if "%u" in settings.hook else settings.hook
    subprocess.Popen(command, shell=True)  # expect: shell-text
    quoted = settings.hook.replace("%u", shlex.quote(user.name))
    subprocess.Popen(quoted, shell=True)  # ok: shell-text


def mount(disk):
    os.system(f"mount /dev/{disk} /mnt")  # ok: shell-text


def start_up():
    mount("sda1")
    mount("sdb1")


def format_disk(disk):
    os.system(f"mkfs.ext4 /dev/{disk}")  # expect: shell-text


format_disk("sdc1")
