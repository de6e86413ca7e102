"""Where a repository is entered and driven: declared scripts, main files, make targets, containers, pipelines."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, cast

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.code import is_test
from actions.agent.scout.corpus import Corpus, Document
from actions.agent.scout.plan import EntryPoint

MOST = 40
_MAIN_FILES = frozenset(
    "__main__.py main.py manage.py wsgi.py asgi.py app.py main.go main.rs main.c main.cc main.cpp index.js index.ts "
    "server.js server.ts main.ts main.js main.tsx main.jsx Program.cs Main.java main.dart main.swift config.ru".split()
)
_MAKE_TARGET = re.compile(
    r"^([A-Za-z][\w./-]*(?:[ \t]+[A-Za-z][\w./-]*)*)[ \t]*:(?![=:])(?:[^#\n]*##[ \t]*(.*))?", re.M
)
_RECIPE = re.compile(r"^([a-z][\w-]*)(?:[ \t]+[^:=\n]*)?:(?!=)", re.M)
_CONTAINER = re.compile(r"^(ENTRYPOINT|CMD)[ \t]+(.+)$", re.M | re.I)
_PROCESS = re.compile(r"^([\w-]+):[ \t]*(.+)$", re.M)
_PYTHON_MAIN = re.compile(rb"^if __name__ == ['\"]__main__['\"]:", re.M)
_DEEPEST = 4
_ORDER = ("script", "main", "make", "container", "process", "ci")


def find_entry_points(corpus: Corpus, cancel: Cancel) -> tuple[EntryPoint, ...]:
    """At most 40, declared ones first, shallow before deep. A file that does not parse is passed over."""
    found: list[EntryPoint] = []
    for document in corpus:
        cancel.check()
        if document.path.count("/") > _DEEPEST or document.is_prose or is_test(document.path):
            continue
        found.extend(_in_file(document))
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda e: (_ORDER.index(e.kind), e.path.count("/"), e.path)))[:MOST]


def _in_file(document: Document) -> Iterator[EntryPoint]:
    if _is_plain_module(document):
        return
    pure = PurePosixPath(document.path)
    reader = _READERS.get(pure.name)
    if reader is not None:
        yield from reader(document)
    elif pure.name.startswith("Dockerfile") or pure.suffix == ".dockerfile":
        yield from _container(document)
    elif pure.parts[:2] == (".github", "workflows") or pure.name in (".gitlab-ci.yml", "Jenkinsfile", ".travis.yml"):
        yield EntryPoint(kind="ci", name=pure.stem.lstrip("."), path=document.path)
    elif document.path == ".ci/run":
        yield EntryPoint(kind="ci", name="run", path=document.path)
    elif pure.name in _MAIN_FILES or (pure.parts[-3:-2] == ("cmd",) and pure.name == "main.go"):
        yield EntryPoint(kind="main", name=pure.parent.name or pure.stem, path=document.path)
    elif pure.suffix == ".py" and _PYTHON_MAIN.search(document.data):
        yield EntryPoint(kind="main", name=pure.stem, path=document.path)
    elif pure.parts[0] in ("bin", "scripts") and len(pure.parts) == 2 and document.data.startswith(b"#!"):
        yield EntryPoint(kind="main", name=pure.name, path=document.path)


def _is_plain_module(document: Document) -> bool:
    """Most files of a large repository; told quickly."""
    name = document.path.rpartition("/")[2]
    known = name in _MAIN_FILES or document.data.startswith(b"#!") or b"__main__" in document.data
    return document.extension == "py" and not known


def _text(document: Document) -> str:
    return document.data.decode("utf-8", errors="replace")


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _pyproject(document: Document) -> Iterator[EntryPoint]:
    try:
        project = _mapping(tomllib.loads(_text(document)).get("project"))
    except tomllib.TOMLDecodeError:
        return
    for table in ("scripts", "gui-scripts"):
        for name, target in _mapping(project.get(table)).items():
            yield EntryPoint(kind="script", name=name, path=document.path, target=str(target))
    for group, entries in _mapping(project.get("entry-points")).items():
        for name, target in _mapping(entries).items():
            yield EntryPoint(kind="script", name=f"{group}: {name}", path=document.path, target=str(target))


def _setup_cfg(document: Document) -> Iterator[EntryPoint]:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(_text(document))
        lines = parser.get("options.entry_points", "console_scripts", fallback="").splitlines()
    except configparser.Error:
        return
    for line in lines:
        name, eq, target = line.partition("=")
        if eq:
            yield EntryPoint(kind="script", name=name.strip(), path=document.path, target=target.strip())


def _package_json(document: Document) -> Iterator[EntryPoint]:
    try:
        package = _mapping(json.loads(_text(document)))
    except ValueError:
        return
    path = document.path
    programs = package.get("bin")
    if isinstance(programs, str):
        yield EntryPoint(kind="script", name=str(package.get("name", "bin")), path=path, target=programs)
    for name, target in _mapping(programs).items():
        yield EntryPoint(kind="script", name=name, path=path, target=str(target))
    if isinstance(main := package.get("main"), str):
        yield EntryPoint(kind="main", name="main", path=path, target=main)
    for name, command in _mapping(package.get("scripts")).items():
        yield EntryPoint(kind="script", name=f"npm run {name}", path=path, target=str(command))


def _cargo(document: Document) -> Iterator[EntryPoint]:
    try:
        programs: object = tomllib.loads(_text(document)).get("bin", [])
    except tomllib.TOMLDecodeError:
        return
    for program in cast("list[object]", programs) if isinstance(programs, list) else []:
        table = _mapping(program)
        yield EntryPoint(
            kind="script", name=str(table.get("name", "")), path=document.path, target=str(table.get("path", ""))
        )


def _make(document: Document) -> Iterator[EntryPoint]:
    for names, comment in _MAKE_TARGET.findall(_text(document)):
        for name in names.split():
            yield EntryPoint(kind="make", name=f"make {name}", path=document.path, target=comment.strip())


def _just(document: Document) -> Iterator[EntryPoint]:
    for name in _RECIPE.findall(_text(document)):
        yield EntryPoint(kind="make", name=f"just {name}", path=document.path)


def _container(document: Document) -> Iterator[EntryPoint]:
    for word, command in _CONTAINER.findall(_text(document)):
        yield EntryPoint(kind="container", name=word.upper(), path=document.path, target=command.strip())


def _procfile(document: Document) -> Iterator[EntryPoint]:
    for name, command in _PROCESS.findall(_text(document)):
        yield EntryPoint(kind="process", name=name, path=document.path, target=command.strip())


_READERS: Mapping[str, Callable[[Document], Iterator[EntryPoint]]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "Makefile": _make,
    "makefile": _make,
    "GNUmakefile": _make,
    "justfile": _just,
    "Procfile": _procfile,
}
