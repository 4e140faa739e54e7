"""The C library takes the settings, or is left alone."""

import platform

from engine.memory import allocator


def test_glibc_is_told_to_keep_freed_blocks():
    assert allocator.keep_freed() == (platform.libc_ver()[0] == "glibc")


def test_another_c_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert not allocator.keep_freed.__wrapped__()
