"""Which beginning of a command a rule is offered for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from actions.patterns.options import breaks_out

_FREE = frozenset(
    """
    sh bash dash zsh ksh fish csh tcsh pwsh powershell cmd busybox toybox
    python pypy ipython perl ruby node nodejs deno bun php lua tclsh expect osascript java jshell groovy scala R Rscript
    julia ghci erl iex elixir awk gawk mawk nawk sed ed ex vi vim nvim view emacs nano less more man
    sudo doas su runuser pkexec env nohup nice ionice chrt taskset timeout time watch xargs parallel setsid setpriv
    stdbuf unbuffer script strace ltrace gdb lldb valgrind perf chroot unshare nsenter systemd-run at batch
    crontab tmux screen entr find fd fdfind rg ssh scp sftp rsync socat nc ncat netcat telnet curl wget
    eval exec source . command builtin trap alias unalias export set declare local readonly typeset hash enable
    npx pnpx bunx uvx pipx dlx direnv nix nix-shell guix tox nox invoke just task ninja
    rm rmdir unlink shred mv cp ln install dd tee truncate chmod chown chgrp mkfs mount umount kill pkill killall
    reboot shutdown halt poweroff init systemctl service sqlite3 psql mysql mongo redis-cli terraform ansible pulumi
    watchexec nodemon hyperfine flock run-parts dbus-run-session xvfb-run fakeroot firejail bwrap proot ts-node tsx dart
    guile racket sbcl clisp ocaml swift Xvfb m4 gpg openssl ffmpeg cmake ctest meson bazel bazelisk buck2 sbt
    ant lein mix rake bundle composer rye pdm hatch pixi conda mamba micromamba pre-commit msbuild dpkg rpm
    coverage pandoc magick convert rustc gcc cc clang ack ag fzf mocha rspec javac
    docker-compose mksh rksh tcc wish aria2c rclone restic ldconfig ld.so
    tar zip unzip split csplit sort gh glab apt apt-get dnf yum pacman apk brew snap gem aws gcloud az
    """.split()
)
"""Commands that run other commands, reach out or destroy, all by their arguments: the exact command line only."""

_EXACT_SUBCOMMANDS = {
    "git": "init daemon instaweb send-email credential svn p4 hook "
    "push fetch pull clone ls-remote archive bisect submodule filter-branch rebase config difftool mergetool "
    "grep clean reset restore checkout switch rm remote branch tag stash worktree reflog",
    "npm": "install i add update uninstall publish exec x explore config",
    "pnpm": "install i add update remove publish exec dlx config",
    "yarn": "install add upgrade remove publish exec dlx config node",
    "cargo": "install add publish run watch",
    "go": "run generate tool env install get",
    "uv": "run x pip add tool publish",
    "pip": "install uninstall download config",
    "poetry": "run add publish config",
    "docker": "run exec compose build push rm rmi system volume",
    "podman": "run exec compose build push rm rmi system volume",
    "kubectl": "exec run debug config delete apply edit replace patch scale drain cp",
    "make": "",
    "gmake": "",
    "dotnet": "exec script add tool nuget",
    "mvn": "",
    "gradle": "",
}
"""Tools whose second word says what they do. The subcommands listed run, install, send or destroy what their arguments
say.
"""
_SUBCOMMANDS = {tool: frozenset(exact.split()) for tool, exact in _EXACT_SUBCOMMANDS.items()}
_SCRIPT_RUNNERS = {"npm": "run", "pnpm": "run", "yarn": "run"}
"""Where the third word says what is done."""
_LITERAL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_@%+:,./\-]*")
_PROGRAM = re.compile(r"[A-Za-z0-9_./~][A-Za-z0-9_@+,./~\-]*")


@dataclass(frozen=True, slots=True)
class Prefix:
    """``exact``: these words and no more."""

    words: tuple[str, ...]
    exact: bool = False


@lru_cache(maxsize=256)
def suggest(words: tuple[str, ...]) -> Prefix:
    """The beginning of a plain command that a rule may cover without freeing what nobody looked at."""
    program = program_of(words[0])
    exact = Prefix(words, exact=True)
    if breaks_out(program, words):
        return exact
    if is_free(words[0]) or not _PROGRAM.fullmatch(words[0]):
        return exact
    if program not in _SUBCOMMANDS:
        return Prefix(words[:1])
    if len(words) < 2 or not _LITERAL.fullmatch(words[1]) or words[1] in _SUBCOMMANDS[program]:
        return exact
    if _SCRIPT_RUNNERS.get(program) != words[1]:
        return Prefix(words[:2])
    return Prefix(words[:3]) if len(words) > 2 and _LITERAL.fullmatch(words[2]) else exact


def is_free(word: str) -> bool:
    """Whether the program does whatever its arguments say."""
    return program_of(word) in _FREE


def program_of(word: str) -> str:
    """The program's bare name: without its folder, and without a version (``/usr/bin/python3.11`` is ``python``)."""
    name = word.rpartition("/")[2].removesuffix(".exe")
    return name if name in _FREE else re.sub(r"-?[0-9][0-9.]*$", "", name) or name
