"""Landlock: the Linux kernel's own sandbox for processes without privileges, spoken to through ctypes.

A domain binds the calling thread and everything it starts, for good. So it is entered in a thread that lives only to start one
program; the rest of the process stays free. Invariant: every right that this kernel knows is taken away unless a rule gives it
back, and a kernel without Landlock is reported as ABI 0, never mistaken for a confined one.
"""

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG, _MAKE_SYM = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12
_TRUNCATE = 1 << 14
_FOR_FILES = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE

_FS_RIGHTS = ((1, 13), (2, 14), (3, 15), (5, 16))
"""(ABI, how many file rights it knows)."""

_NETWORK_ABI = 4
_SCOPE_ABI = 6
_NETWORK_RIGHTS = 0b11  # TCP bind and connect
_SCOPES = 0b11  # abstract sockets and signals


class LandlockError(OSError):
    """The kernel refused a domain that it said it could enforce."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _layout_ = "ms"  # what packing has always meant; said since Python 3.14 asks for it
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


@dataclass(frozen=True, slots=True)
class Rule:
    """Rights on a file, or on everything beneath a directory. Writing to a directory includes making and removing files."""

    path: Path
    read: bool = True
    write: bool = False
    execute: bool = False

    def rights(self, directory: bool) -> int:
        rights = (READ_FILE | READ_DIR) if self.read else 0
        rights |= EXECUTE if self.execute else 0
        if self.write:
            rights |= WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _MAKE_SYM
        return rights if directory else rights & _FOR_FILES


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: object) -> int:
    result = int(_libc().syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise LandlockError(code, os.strerror(code))
    return result


@cache
def abi() -> int:
    """The version of Landlock that this kernel enforces; 0 if it has none."""
    if not sys.platform.startswith("linux"):
        return 0
    try:
        return _call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    except LandlockError:
        return 0


def confine_thread(rules: Iterable[Rule], online: bool = False) -> None:
    """From here on this thread and its children have the rights that the rules name, and no network unless `online`."""
    version = abi()
    network = _NETWORK_RIGHTS if version >= _NETWORK_ABI and not online else 0
    handled = (1 << max(count for since, count in _FS_RIGHTS if since <= version)) - 1
    wanted = _Ruleset(handled, network, _SCOPES if version >= _SCOPE_ABI else 0)
    size = 8 if version < _NETWORK_ABI else (16 if version < _SCOPE_ABI else 24)
    ruleset = _call(_CREATE_RULESET, ctypes.byref(wanted), ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        for rule in rules:
            _add(ruleset, rule, handled)
        if _libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise LandlockError(ctypes.get_errno(), "no_new_privs was refused")
        _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _add(ruleset: int, rule: Rule, handled: int) -> None:
    """A path that is not there needs no rule: nothing can be reached through it."""
    try:
        descriptor = os.open(rule.path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EACCES):
            return
        raise
    try:
        directory = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        beneath = _PathBeneath(rule.rights(directory) & handled, descriptor)
        _call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), ctypes.byref(beneath), ctypes.c_uint32(0))
    finally:
        os.close(descriptor)
