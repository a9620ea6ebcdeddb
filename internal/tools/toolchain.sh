#!/bin/sh
# Prints the value of GOTOOLCHAIN to work with: the patch release of Go that
# go.mod names, or a newer one where that is installed. Where it cannot be
# fetched, the installed Go will do, and a warning says what that means.
set -eu
cd "$(dirname "$0")/../.."

if ! command -v go >/dev/null; then
	echo "Go is not installed, or not in PATH: install Go 1.26 or newer from https://go.dev/dl/" >&2
	exit 1
fi
installed=$(GOTOOLCHAIN=local go env GOVERSION)
if ! wanted=$(GOTOOLCHAIN=auto go env GOVERSION); then
	echo "Building with $installed: the patch release that go.mod names cannot be fetched. It has fixes to the standard library that this build lacks." >&2
	wanted=$installed
fi
if [ "$wanted" = "$installed" ]; then
	wanted=local
fi
echo "$wanted"
