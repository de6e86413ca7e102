#!/usr/bin/env bash
# UNTESTED. On a Mac with a checkout that is set up: dist/sayso and dist/Sayso.dmg, neither signed nor notarised.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

packaging/bundle.sh
hdiutil create -volname Sayso -srcfolder dist/sayso -ov -format UDZO dist/Sayso.dmg
