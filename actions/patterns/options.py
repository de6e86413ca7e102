"""Which options a rule by the beginning of a command lets through.

Most programs have some that run another program, load code or read other settings: ``pytest -p``, ``go test -exec``,
``cargo --config``, ``npm --script-shell``. With one of those it is no longer the command that somebody allowed, so such
a command is only ever allowed word for word.
"""

from __future__ import annotations

import re

_ABOUT_ALL_GIT = (
    "--output", "--ext-diff", "--textconv", "--exec-path", "--upload-pack", "--receive-pack", "--exec", "--strategy",
    "--template",
)  # fmt: skip
"""git takes them shortened as well."""

_PLAIN = {
    "pytest": (
        "-[vqsxl]+|-[kmnr]|-n[0-9]+|-r[A-Za-z]+|--(lf|ff|nf|sw|co|last-failed|failed-first|new-first|stepwise|exitfirst"
        "|maxfail|tb|durations|collect-only|no-header|no-summary|disable-warnings|verbose|quiet|showlocals|color"
        "|deselect|ignore|strict-markers)"
    ),
    "go": (
        "--?(v|run|count|race|short|timeout|cover|bench|benchtime|benchmem|failfast|parallel|p|json|list|tags|skip"
        "|shuffle|cpu|a|n|x|trimpath)"
    ),
    "cargo": (
        "-(r|v+|q|j|p|F)|-j[0-9]+|--(release|all|workspace|package|lib|bins?|tests?|examples?|bench|benches|all-targets"
        "|all-features|features|no-default-features|locked|offline|frozen|verbose|quiet|jobs|message-format|no-run"
        "|no-fail-fast|doc|profile|color|check|exclude|nocapture|no-capture|test-threads|exact|ignored|include-ignored"
        "|show-output|skip)"
    ),
    "npm": "-[sw]|--(silent|if-present|workspaces?)",
    "pnpm": "-[srw]|--(silent|if-present|recursive)",
    "yarn": "-s|--silent",
}
"""For programs that run the code of a project: the options that only choose what of it, and what is shown."""
_KNOWN = {program: re.compile(pattern) for program, pattern in _PLAIN.items()}

_READERS = frozenset(
    """
    cat head tail wc ls grep egrep fgrep stat file du df tree diff cmp nl cut tr uniq od xxd hexdump strings basename
    dirname realpath readlink pwd echo printf true false which type date whoami id uname hostname sha1sum sha256sum
    sha512sum md5sum cksum b2sum jq column comm paste fold fmt seq test mkdir touch sleep cd
    """.split()
)
"""Their options run nothing."""
_RISKY = re.compile(
    r"--?[\w-]*(exec|eval|conf|plugin|require|load|hook|pager|shell|command|cmd|script|wrapper|python|interpret|compiler"
    r"|linker|import|bootstrap|root|prefix|preset|rcfile|env|editor|browser|tool|program)|-[cCerRp]",
    re.IGNORECASE,
)
"""What such options are usually called."""


def breaks_out(program: str, words: tuple[str, ...]) -> bool:
    """Whether an option (or what the shell may make one of) does more than the beginning of the command says.
    ``program`` is the bare name of ``words[0]``."""
    if program == "git":
        return any(map(_of_git, words[1:]))
    known = _KNOWN.get(program)
    if known is not None:
        return any(_no_option_of(known, program, words[:at], word) for at, word in enumerate(words) if at)
    return program not in _READERS and any(_risky(word) for word in words[1:])


def _of_git(word: str) -> bool:
    stem = word.partition("=")[0]
    return _may_be_option(word) or (len(stem) > 2 and any(option.startswith(stem) for option in _ABOUT_ALL_GIT))


def _no_option_of(known: re.Pattern[str], program: str, before: tuple[str, ...], word: str) -> bool:
    if word == "--":  # behind it stand options of what is run; only those of a test are known
        return program != "cargo" or before[1:2] != ("test",)
    if word[:1] == "@":  # a file with more options
        return True
    return _may_be_option(word) or (word[:1] == "-" and known.fullmatch(word.partition("=")[0]) is None)


def _risky(word: str) -> bool:
    return word[:1] == "-" and (_RISKY.match(word) is not None or _may_be_option(word))


def _may_be_option(word: str) -> bool:
    """Whether a shell could make an option of it: by braces, or from the name of a file."""
    return "{" in word or word[:1] in ("*", "?", "[") or (word[:1] == "-" and any(sign in word for sign in "*?["))
