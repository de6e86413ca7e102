#!/usr/bin/env bash
# Puts the folder of packaging/bundle.sh (dist/sayso) into dist/sayso_VERSION_ARCH.deb: the folder in /usr/lib/sayso, `sayso`
# in /usr/bin, desktop entry, AppStream metadata, icon. Removing the package leaves what is in a user's home.
# Needs dpkg-deb.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ -x dist/sayso/sayso ]] || { echo "deb: dist/sayso is missing; run: packaging/bundle.sh" >&2; exit 1; }
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
architecture=$(dpkg --print-architecture)
id=dev.sayso.Sayso
tree=$(mktemp -d "${TMPDIR:-/tmp}/sayso-deb.XXXXXX")
trap 'rm -rf "$tree"' EXIT

# From the list that a checkout is set up by: "a b" there is "a | b" here. Tests' needs and fonts are no condition.
dependencies=$(sed -e '/^# Tests/,$d' packaging/system-packages.txt | sed -e 's/#.*//' -e '/^[[:space:]]*$/d' -e '/^fonts-/d' \
    -e 's/[[:space:]]*$//' -e 's/[[:space:]]\+/ | /g' | paste -sd, | sed 's/,/, /g')

install -d "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/lib" "$tree/usr/share/doc/sayso"
cp -a dist/sayso "$tree/usr/lib/sayso"
ln -s ../lib/sayso/sayso "$tree/usr/bin/sayso"
install -Dm644 "packaging/share/$id.desktop" "$tree/usr/share/applications/$id.desktop"
install -Dm644 "packaging/share/$id.metainfo.xml" "$tree/usr/share/metainfo/$id.metainfo.xml"
install -Dm644 "packaging/share/$id.svg" "$tree/usr/share/icons/hicolor/scalable/apps/$id.svg"
cat LICENSE NOTICE >"$tree/usr/share/doc/sayso/copyright"
chmod -R u=rwX,go=rX "$tree"

cat >"$tree/DEBIAN/control" <<CONTROL
Package: sayso
Version: $version
Architecture: $architecture
Maintainer: The Sayso authors
Section: devel
Priority: optional
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Depends: libc6 (>= 2.34), git, $dependencies
Recommends: fonts-noto-cjk, fonts-noto-color-emoji
Description: front end for people who run coding agents
 Sessions, approvals, MCP servers and voice in one place. Agents act on your
 say-so.
CONTROL

result=dist/sayso_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zzstd -z10 --build "$tree" "$result" >/dev/null
echo "deb: $result: $(du -h "$result" | cut -f1)" >&2
