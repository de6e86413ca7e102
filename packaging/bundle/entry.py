"""The program of the bundle: `sayso`, and Python for what Sayso starts as processes of its own.

The host, the built-in agent and the probes are started as `sys.executable -P -m MODULE`. In a bundle that executable is
this program, so it does what Python does with these flags. No command of `sayso` begins with one of them.
"""

from __future__ import annotations

import os
import runpy
import sys

_ALONE = ("-E", "-P", "-I", "-u")  # a bundle reads neither PYTHON* variables nor the folder it was called in


def restore_environment() -> None:
    """Take away what the bundle's starter set for itself: git and the agents must find their own libraries."""
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        before = os.environ.pop(f"{name}_ORIG", None)
        if before is not None:
            os.environ[name] = before
        else:
            os.environ.pop(name, None)
    for name in [name for name in os.environ if name.startswith("_PYI_")]:
        del os.environ[name]


def as_python(arguments: list[str]) -> bool:
    """Carry out a command line of Python, if it is one: `-m MODULE`, `-c CODE` or a file, after flags."""
    rest = list(arguments)
    while rest and rest[0] in _ALONE:
        rest.pop(0)
    if not rest or (len(rest) == len(arguments) and rest[0] not in ("-m", "-c")):
        return False
    first = rest.pop(0)
    if first == "-m":
        module = rest.pop(0)
        sys.argv = [module, *rest]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    elif first == "-c":
        code = rest.pop(0)
        sys.argv = ["-c", *rest]
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = [first, *rest]
        runpy.run_path(first, run_name="__main__")
    return True


def main() -> int:
    import multiprocessing

    multiprocessing.freeze_support()
    restore_environment()
    if as_python(sys.argv[1:]):
        return 0
    from actions.cli.main import main as sayso

    return sayso()


if __name__ == "__main__":
    sys.exit(main())
