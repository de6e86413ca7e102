"""A folder with everything that makes two searches differ."""

from __future__ import annotations

import os
from pathlib import Path

_FILES: dict[str, bytes] = {
    ".gitignore": b"*.log\nbuild/\n/only_top.txt\n!keep.log\n\\#odd\nspace\\ \n# no\ndocs/*.tmp\n**/deep/x.txt\n",
    "plain.py": b"import os\n\ndef needle():\n    return 'Needle'\n",
    "debug.log": b"needle\n",
    "keep.log": b"needle kept\n",
    "only_top.txt": b"needle\n",
    "sub/only_top.txt": b"needle in sub\n",
    "sub/.gitignore": b"secret.txt\n!debug.log\n*.bak\n",
    "sub/secret.txt": b"needle\n",
    "sub/debug.log": b"needle again\n",
    "sub/a.bak": b"needle\n",
    "sub/deeper/a.bak": b"needle\n",
    "sub/deeper/.gitignore": b"!a.bak\n",
    "build/out.py": b"needle\n",
    "other/build": b"needle: a file named build\n",
    "docs/a.tmp": b"needle\n",
    "docs/more/a.tmp": b"needle\n",
    "a/deep/x.txt": b"needle\n",
    "deep/x.txt": b"needle\n",
    "#odd": b"needle\n",
    "space ": b"needle\n",
    ".hidden": b"needle hidden\n",
    ".config/settings": b"needle in hidden folder\n",
    ".git/HEAD": b"needle\n",
    ".git/info/exclude": b"plain.py\n",
    ".ignore": b"plain.py\n",
    "nested/.git/config": b"needle\n",
    "nested/file.txt": b"needle nested\n",
    "binary.dat": b"needle\n\0\x01\x02needle\n",
    "binary_late.dat": b"needle\n" + b"x" * 100_000 + b"\nneedle\n\0",
    "binary_first.dat": b"\0needle\n",
    "crlf.txt": b"first\r\nneedle\r\nlast needle\r\n\r\nend",
    "mixed.txt": b"needle one\r\nneedle two\nneedle\rthree\r\r\nneedle\n",
    "only_cr.txt": b"needle one\rneedle two\r",
    "no_final.txt": b"line\nneedle at the end",
    "empty.txt": b"",
    "one_newline.txt": b"\n",
    "newlines.txt": b"\n\n\nneedle\n\n",
    "bom.txt": b"\xef\xbb\xbfneedle after a mark\nsecond\n",
    "gbk.txt": "// 配置文件 needle\n第二行：搜索\n".encode("gbk"),
    "gbk_crlf.txt": "搜索 needle\r\n结束\r\n".encode("gbk"),
    "latin1.txt": "caf\xe9 needle\nna\xefve\n".encode("latin-1"),
    "utf16le.txt": b"\xff\xfe" + "needle 搜索\nzwei\n".encode("utf-16-le"),
    "utf16be.txt": b"\xfe\xff" + "needle 搜索\r\nzwei\r\n".encode("utf-16-be"),
    "utf16_unmarked.txt": "needle\n".encode("utf-16-le"),
    "utf32.txt": b"\xff\xfe\0\0" + "needle\n".encode("utf-32-le"),
    "chinese.md": "搜索 needle 中文\n全角：１２３\nStraße STRASSE straße\nΣσς ſs Kk\n".encode(),
    "broken_utf8.txt": b"needle \xff\xfe\n\xc3\x28 needle\nplain needle\n",
    "long.js": b"var a=1;" * 20_000 + b"needle" + b"x" * 20_000 + b"\nneedle short\n",
    "context.txt": b"".join(b"needle\n" if n in (3, 5, 12) else b"line %d\n" % n for n in range(1, 21)),
    "braces.go": b"x := interface{}\nm := map[string]int{1: 2}\na[0] = {3}\n",
    "-dash.txt": b"needle --pattern\n",
    "quote'\"$x.txt": b"needle\n",
    "new\nline.txt": b"needle in a name of two lines\n",
    "名字.txt": b"needle\n",
    "dir with space/f.txt": b"needle\n",
    "classes.txt": "tab\there\u00a0nbsp\n_under score\n123 ١٢٣\n\x0bvt\x0cff\n\x1c\x1d\n\x85nel\n\u2028ls\n".encode(),
}


def build(root: Path) -> Path:
    """Make the tree under ``root``; returns it."""
    root.mkdir(parents=True, exist_ok=True)
    for name, data in _FILES.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    Path(os.fsdecode(os.fsencode(root) + b"/bytes\xff\xfe.txt")).write_bytes(b"needle\n")
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "sub" / "up").symlink_to("..", target_is_directory=True)
    (root / "link.txt").symlink_to("plain.py")
    (root / "dangling").symlink_to("nowhere")
    (root / "empty_folder").mkdir()
    os.mkfifo(root / "pipe")
    return root
