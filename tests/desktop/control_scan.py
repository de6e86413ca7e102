"""Every control that the window makes, found in its source: buttons, menu entries, shortcuts, switches of a dialog."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

DESKTOP = Path(__file__).parents[2] / "desktop"
_NOT_THE_WINDOW = ("demo", "i18n")
_MADE = frozenset(
    {
        *("button", "IconButton", "FittingButton", "QPushButton", "QToolButton", "QRadioButton", "QCheckBox"),
        *("QAction", "QShortcut", "FolderButton", "Select"),
    }
)
_ADDED = frozenset({"addAction", "addButton", "setStandardButtons", "offer"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def controls() -> dict[str, list[str]]:
    """What each module makes, in the order of the source."""
    found: dict[str, list[str]] = {}
    for path in sorted(DESKTOP.rglob("*.py")):
        name = path.relative_to(DESKTOP).as_posix()
        if not name.startswith(_NOT_THE_WINDOW) and (made := of_source(path.read_text(encoding="utf-8"))):
            found[name] = made
    return found


def of_source(source: str) -> list[str]:
    """``Class.method: target "words"`` for each control; equal ones are numbered.

    A function that makes a control with words that it is given is a maker itself: its callers are the controls.
    """
    tree = ast.parse(source)
    makers = {name for name, node in _functions(tree) if _hands_on(node)}
    found: list[str] = []
    for key in _walk(tree, (), "", makers):
        number = sum(1 for other in found if other == key or other.startswith(f"{key} #"))
        found.append(f"{key} #{number + 1}" if number else key)
    return found


def _functions(tree: ast.AST) -> Iterator[tuple[str, _Function]]:
    """Each function by the name that it is called by; a class goes by its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from ((node.name, one) for one in node.body if isinstance(one, _Function) and one.name == "__init__")
        if isinstance(node, _Function) and node.name != "__init__":
            yield node.name, node


def _hands_on(function: _Function) -> bool:
    given = {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)} - {"self", "theme"}
    return any(_is_control(call, set()) and _given(call, given) for call in _calls(function))


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _given(call: ast.Call, names: set[str]) -> bool:
    return any(isinstance(argument, ast.Name) and argument.id in names for argument in call.args)


def _walk(node: ast.AST, inside: tuple[str, ...], target: str, makers: set[str]) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        here, named = inside, target
        if isinstance(child, ast.ClassDef | _Function):
            here, named = (*inside, child.name), ""
        elif isinstance(child, ast.stmt):
            named = _target(child)
        if isinstance(child, ast.Call) and _is_control(child, makers) and not _inside_maker(child, inside, makers):
            yield f"{'.'.join(inside)}: {named} {_words(child)}".rstrip()
        yield from _walk(child, here, named, makers)


def _inside_maker(call: ast.Call, inside: tuple[str, ...], makers: set[str]) -> bool:
    """Whether this is the control of a maker, which its callers stand for."""
    named = inside[-1:] if inside[-1:] != ("__init__",) else inside[-2:-1]
    return bool(makers & set(named)) and any(isinstance(one, ast.Name) and one.id != "self" for one in call.args)


def _is_control(call: ast.Call, makers: set[str]) -> bool:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in _ADDED or call.func.attr in makers
    return isinstance(call.func, ast.Name) and (call.func.id in _MADE or call.func.id in makers)


def _target(statement: ast.stmt) -> str:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    names = [part for one in targets if one is not None for part in ast.walk(one)]
    return next((getattr(part, "attr", getattr(part, "id", "")) for part in names), "")


def _words(call: ast.Call) -> str:
    texts = [text for argument in call.args for text in _texts(argument)]
    shown = [text for text in texts if any(c.isalpha() for c in text) and (" " in text or text[0].isupper())]
    word = next(iter([*shown, *texts]), "")
    return f'"{word}"' if word else ""


def _texts(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ast.Attribute) and getattr(part.value, "attr", "") == "StandardButton":
            yield part.attr
