"""The always rules of one workspace, in a JSON file that is the user's alone."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from actions.agent.approvals.rule import Rule
from actions.errors import SaysoError
from actions.storage.files import write_atomic


class _Content(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    rules: tuple[Rule, ...] = ()


class RuleFile:
    """Several sessions share one file: each change is made to what is there now, under a lock beside it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self.fault: str | None = None
        """Why the file does not count, for a person; None while it does."""
        self.rules: tuple[Rule, ...] = ()

    def changed(self) -> bool:
        """Whether the file is another than the one last read."""
        return self._look() != self._stamp

    def read(self) -> str | None:
        """Take the rules from the file; a sentence for a person when that is not possible: there are none then."""
        self._stamp, self.fault, self.rules = self._look(), None, ()
        try:
            content = self._path.read_bytes()
            self.rules = _Content.model_validate_json(content).rules
        except FileNotFoundError:
            return None
        except OSError as error:
            self.fault = f"The rules in {self._path} could not be read ({error.strerror or error})."
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"])) or "the file"
            self.fault = f"The rules in {self._path} do not count: {place}: {first['msg']}. Correct or delete the file."
        return self.fault

    def add(self, rule: Rule) -> None:
        """Raises SaysoError when the file cannot be written, or is broken: it is never overwritten then."""
        with self._locked():
            self._write((*self.rules, rule))

    def remove(self, rule_id: str) -> bool:
        """False when there is no such rule. Raises SaysoError as :meth:`add` does."""
        with self._locked():
            kept = tuple(rule for rule in self.rules if rule.id != rule_id)
            if len(kept) == len(self.rules):
                return False
            self._write(kept)
            return True

    def _write(self, rules: tuple[Rule, ...]) -> None:
        if self.fault is not None:
            raise SaysoError(self.fault)
        write_atomic(self._path, _Content(rules=rules).model_dump_json(indent=2).encode())
        self._stamp, self.rules = self._look(), rules

    @contextmanager
    def _locked(self) -> Generator[None]:
        lock = self._path.with_name(self._path.name + ".lock")
        try:
            lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SaysoError(f"{lock} could not be opened: {error.strerror or error}.") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            self.read()
            yield
        finally:
            os.close(handle)

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
