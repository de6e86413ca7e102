"""``settings.toml``: read typed, written with every comment kept.

A file that does not parse is reported with line and reason, never overwritten, and the app starts with the defaults.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

from actions.errors import ErrorCode, InvalidInput, SaysoError
from actions.storage.declarations import SETTINGS, Setting
from actions.storage.files import write_atomic
from actions.storage.overrides import Overrides, parse_overrides

T = TypeVar("T", str, bool, int, float)


@dataclass(frozen=True)
class Problem:
    """Something in the file that a person should mend. ``line`` is 0 where the place is named in the message."""

    message: str
    line: int = 0


@dataclass(frozen=True)
class Settings:
    """What the file said when it was read, over the defaults."""

    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    device: Overrides = field(default_factory=lambda: MappingProxyType({}))
    workspaces: Mapping[str, Overrides] = field(default_factory=lambda: MappingProxyType({}))
    """By absolute path of the workspace."""
    problems: tuple[Problem, ...] = ()
    readable: bool = True
    """False when the file is there and says nothing that can be relied on: then everything here is a default."""

    def get(self, setting: Setting[T]) -> T:
        """The value of ``setting``: the file's, else its default."""
        return self.values.get(setting.key, setting.default)


class SettingsFile:
    """The file of one home. Reading never fails; writing refuses a file that does not parse."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def load(self) -> Settings:
        """Read the file; what is missing, broken or does not fit is a default and a :class:`Problem`."""
        try:
            data = tomllib.loads(self.file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Settings()
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            return Settings(problems=(_broken(self.file, error),), readable=False)
        return _interpret(data)

    def set(self, setting: Setting[T], value: T | None) -> Settings:
        """Store one setting; None goes back to the default. Returns the settings as they are now.

        Raises:
            InvalidInput: the value does not fit.
            SaysoError: the file is broken or cannot be written; it is as it was.
        """
        if value is not None and (why := setting.refusal(value)) is not None:
            raise InvalidInput(f"{setting.key} {why}.", [{"field": setting.key, "message": why}])
        return self._change(setting.key.split("."), value)

    def set_override(
        self, action_id: str, path: tuple[str, ...], value: bool | str | None, *, workspace: str | None = None
    ) -> Settings:
        """Store one override, e.g. ``("approval", "cli"), "always"`` or ``("enabled",), False``.

        None and ``"default"`` take the entry away. Without ``workspace`` it holds on the whole device. Raises as
        :meth:`set`.
        """
        table = ["actions", action_id] if workspace is None else ["workspaces", workspace, "actions", action_id]
        entry: Any = value
        for part in reversed(path):
            entry = {part: entry}
        complaints: list[str] = []
        if value is not None:
            parse_overrides({action_id: entry}, "actions", complaints.append)
        if complaints:
            raise InvalidInput(f"{complaints[0]}.", [{"field": ".".join(path), "message": complaints[0]}])
        return self._change([*table, *path], None if value == "default" else value)

    def ensure(self) -> None:
        """Write the commented file with every setting at its default, when there is none."""
        if not self.file.exists():
            write_atomic(self.file, template().encode())

    def _change(self, path: list[str], value: object) -> Settings:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        try:
            text = self.file.read_text(encoding="utf-8") if self.file.exists() else template()
            tomllib.loads(text)
            document = tomlkit.parse(text)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, TOMLKitError) as error:
            problem = _broken(self.file, error)
            raise SaysoError(
                f"{problem.message} Nothing was changed; mend the file first.",
                code=ErrorCode.FAILED,
                details={"path": str(self.file), "line": problem.line},
            ) from error
        _put(document, path, value)
        write_atomic(self.file, tomlkit.dumps(document).encode())
        return self.load()


def template() -> str:
    """The commented ``settings.toml``: every setting with what it does, its values and its default."""
    lines = ["# Settings of Sayso. Take the # from a line to change its value; the app keeps your comments.", ""]
    table = ""
    for setting in SETTINGS.values():
        head, _, name = setting.key.rpartition(".")
        if head != table:
            lines += [f"[{head}]"]
            table = head
        choices = f" One of: {', '.join(str(c) for c in setting.choices)}." if setting.choices else ""
        lines += [f"# {setting.description}{choices}", f"# {name} = {_toml(setting.default)}", ""]
    lines += [
        "# Single actions are switched off, made to ask, or shown differently like this:",
        '# [actions."review.start"]',
        "# enabled = false",
        '# approval.cli = "always"',
        '# exposure.mcp = "direct"',
        "",
    ]
    return "\n".join(lines)


def _interpret(data: Mapping[str, Any]) -> Settings:
    problems: list[Problem] = []

    def report(message: str) -> None:
        problems.append(Problem(f"settings.toml: {message}."))

    values: dict[str, Any] = {}
    for setting in SETTINGS.values():
        found = _lookup(data, setting.key)
        if found is None:
            continue
        if (why := setting.refusal(found)) is not None:
            report(f"{setting.key} {why}; {_toml(setting.default)} holds until then")
        else:
            values[setting.key] = setting.read(found)
    workspaces: dict[str, Overrides] = {}
    by_path = data.get("workspaces", {})
    if not isinstance(by_path, Mapping):
        report("workspaces must be a table")
        by_path = {}
    for path, entry in cast("Mapping[str, Any]", by_path).items():
        if not isinstance(entry, Mapping):
            report(f'workspaces."{path}" must be a table')
            continue
        actions = cast("Mapping[str, Any]", entry).get("actions", {})
        workspaces[path] = MappingProxyType(parse_overrides(actions, f'workspaces."{path}".actions', report))
    device = parse_overrides(data.get("actions", {}), "actions", report)
    return Settings(MappingProxyType(values), MappingProxyType(device), MappingProxyType(workspaces), tuple(problems))


def _lookup(data: Mapping[str, Any], key: str) -> object | None:
    found: Any = data
    for part in key.split("."):
        if not isinstance(found, Mapping):
            return None
        found = cast("Mapping[str, Any]", found).get(part)
    return found


def _put(document: MutableMapping[str, Any], path: list[str], value: object) -> None:
    """Set or take away one entry; a table that this leaves empty goes too."""
    import tomlkit

    *tables, name = path
    trail: list[tuple[MutableMapping[str, Any], str]] = []
    here = document
    for part in tables:
        if not isinstance(here.get(part), MutableMapping):
            if value is None:
                return
            here[part] = tomlkit.table()
        trail.append((here, part))
        here = cast("MutableMapping[str, Any]", here[part])
    if value is not None:
        here[name] = value
        return
    here.pop(name, None)
    for parent, part in reversed(trail[1:]):
        if parent[part]:
            break
        del parent[part]


def _broken(file: Path, error: Exception) -> Problem:
    line = 0
    if isinstance(error, tomllib.TOMLDecodeError) and "at line " in str(error):
        line = int(str(error).split("at line ")[1].split(",")[0])
    elif isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        return Problem(f"{file}, line {line}: it is not UTF-8 text.", line)
    return Problem(f"{file} cannot be read: {error}." if not line else f"{file}, line {line}: {error}.", line)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)
