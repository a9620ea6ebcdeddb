#!/bin/sh
# Fails when a generated file in the tree is not what its source generates.
# The generators run in a copy of the tree, so that this one stays as it is,
# with or without git. The copy has no templ output to begin with: what is
# generated from no source any more shows up too.
set -eu
cd "$(dirname "$0")/../.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
packages=web/client/node_modules
tar -cf - --exclude=./.git --exclude=./bin --exclude="./$packages" . | tar -xf - -C "$copy"
if [ -d "$packages" ]; then
	ln -s "$PWD/$packages" "$copy/$packages"
fi
find "$copy" -name '*_templ.go' -delete
(cd "$copy" && go generate ./...)
if ! diff -r -q -x .git -x bin -x node_modules . "$copy"; then
	echo "Generated files are stale: run \"make generate\" and commit what it changes. Nothing was changed here." >&2
	exit 1
fi
echo "generated files are fresh"
