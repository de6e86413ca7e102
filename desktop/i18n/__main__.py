"""``python -m desktop.i18n``: takes new source texts into the ``.ts`` files and compiles them.

What is untranslated afterwards is listed and makes it exit with 1; write the translations into the ``.ts`` file.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from desktop.i18n.catalogue import FOLDER, sources, untranslated


def main() -> int:
    tools = Path(sys.executable).parent
    missing: list[str] = []
    for catalogue in sorted(FOLDER.glob("*.ts")):
        update = [tools / "pyside6-lupdate", "-no-obsolete", "-locations", "none", *sources(), "-ts", catalogue]
        subprocess.run(update, check=True)
        missing += untranslated(catalogue)
        subprocess.run([tools / "pyside6-lrelease", catalogue, "-qm", catalogue.with_suffix(".qm")], check=True)
    sys.stderr.writelines(f"not translated: {text}\n" for text in missing)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
