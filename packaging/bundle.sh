#!/usr/bin/env bash
# Builds dist/sayso-VERSION-py3-none-any.whl and, with PyInstaller, dist/sayso: a folder that needs no Python.
# Needs a checkout that is set up (make setup). Prints where the results are, and their size.
#   packaging/bundle.sh            both
#   packaging/bundle.sh wheel      the wheel only
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly UV=.tools/bin/uv BUILD=build/bundle
say() { printf 'bundle: %s\n' "$*" >&2; }

[[ -x $UV ]] || { say "this checkout is not set up; run: make setup"; exit 1; }

build_wheel() {
    rm -f dist/sayso-*.whl
    "$UV" --quiet build --wheel --out-dir dist
    say "$(ls dist/sayso-*.whl): $(du -h dist/sayso-*.whl | cut -f1)"
}

# The locked versions of what Sayso needs, and PyInstaller; Sayso itself as installed files, for its entry points.
build_environment() {
    UV_PROJECT_ENVIRONMENT=$BUILD/venv UV_PYTHON_DOWNLOADS=never "$UV" --no-config --quiet sync --frozen --no-editable \
        --extra models --no-default-groups --group build --reinstall-package sayso --python .venv/bin/python
}

build_folder() {
    rm -rf dist/sayso
    PYTHONNOUSERSITE=1 "$BUILD/venv/bin/pyinstaller" --noconfirm --log-level WARN --distpath dist --workpath "$BUILD/work" \
        packaging/bundle/sayso.spec >"$BUILD/pyinstaller.log" 2>&1 || { tail -n 20 "$BUILD/pyinstaller.log" >&2; exit 1; }
    cp LICENSE NOTICE dist/sayso/
    say "dist/sayso: $(du -sh dist/sayso | cut -f1)"
}

mkdir -p "$BUILD" dist
build_wheel
[[ ${1:-} == wheel ]] || { build_environment; build_folder; }
