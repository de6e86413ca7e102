# UNTESTED. On Windows with Python 3.11 and uv: dist\sayso.
$ErrorActionPreference = "Stop"
Set-Location "$PSScriptRoot\..\..\.."

uv build --wheel --out-dir dist
$env:UV_PROJECT_ENVIRONMENT = "build\bundle\venv"
uv sync --frozen --no-editable --extra models --no-default-groups --group build
& build\bundle\venv\Scripts\pyinstaller --noconfirm --distpath dist --workpath build\bundle\work packaging\bundle\sayso.spec
