"""The environment is made from the lock files, from where pip takes files."""

import install_locked
import pytest

LOCK = r"""# made
uc==1 \
    --hash=sha256:a
uv==0.9 \
    --hash=sha256:b \
    --hash=sha256:c
uvloop==2 \
    --hash=sha256:d
"""


def test_entry_of_a_package_has_its_hashes_and_no_other_package() -> None:
    assert install_locked.entry_of("uv", LOCK) == "uv==0.9 \\\n    --hash=sha256:b \\\n    --hash=sha256:c\n"
    assert install_locked.entry_of("uvloop", LOCK) == "uvloop==2 \\\n    --hash=sha256:d\n"
    with pytest.raises(SystemExit, match="pip is not in"):
        install_locked.entry_of("pip", LOCK)


def test_uv_is_given_the_settings_of_pip() -> None:
    listed = (
        ":env:.find-links='wheels more'\nglobal.extra-index-url='file:///one\\nfile:///two'\nglobal.find-links='old'\n"
        "global.index-url='https://name:word@127.0.0.1/simple?a=b'\ninstall.index-url='file:///own'\nglobal.quiet='1'\n"
    )
    assert install_locked.uv_settings(install_locked.pip_settings(listed)) == {
        "UV_INDEX": "file:///one file:///two",
        "UV_DEFAULT_INDEX": "file:///own",
        "UV_FIND_LINKS": "wheels,more",
    }


def test_uv_is_left_alone_where_pip_is_set_to_nothing() -> None:
    assert install_locked.uv_settings(install_locked.pip_settings("")) == {}
