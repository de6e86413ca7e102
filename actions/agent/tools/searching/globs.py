"""Glob patterns: ``*`` and ``?`` within a name, ``**`` over folders, ``[...]`` and ``{a,b}``. Hidden names match."""

from __future__ import annotations

from collections.abc import Callable


class BadGlob(Exception):
    """The pattern is no good; the text says why."""


def matcher(pattern: str, *, any_depth: bool) -> Callable[[str], bool]:
    """Whether a relative path matches. ``any_depth``: a pattern without a slash is about the name alone.

    Raises:
        BadGlob: it is empty, leaves the folder, or its braces stand for too many patterns.
    """
    from wcmatch import glob
    from wcmatch._wcparse import (
        PatternLimitException,  # documented, yet to be had only here
    )

    wanted = pattern.removeprefix("./")
    if any_depth and "/" not in wanted:
        wanted = f"**/{wanted}"
    wanted = wanted.removeprefix("/")
    if not wanted or "\0" in wanted:
        raise BadGlob("it is empty")
    if ".." in wanted.split("/"):
        raise BadGlob("it leads out of the folder; give that folder as `path`")
    flags = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.FORCEUNIX | glob.CASE
    try:
        compiled = glob.compile(wanted, flags=flags)
    except PatternLimitException as error:
        raise BadGlob("its braces stand for too many patterns") from error
    return compiled.match


def split(pattern: str) -> tuple[str, str]:
    """The folder that ``pattern`` begins with, up to its first part with a wildcard, and the rest."""
    parts = pattern.split("/")
    plain = 0
    while plain < len(parts) - 1 and not set(parts[plain]) & set("*?[{\\"):
        plain += 1
    folder = "/".join(parts[:plain])
    return (folder or "/" if pattern.startswith("/") else folder), "/".join(parts[plain:])
