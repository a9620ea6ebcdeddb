#!/bin/sh
# Runs each fuzz test of the product for a time each, one after the other:
#
#	fuzz.sh 30s
set -eu
cd "$(dirname "$0")/../.."

for package in $(go list -f '{{.ImportPath}}' ./...); do
	listed=$(go test -list '^Fuzz' "$package")
	for name in $(echo "$listed" | grep '^Fuzz'); do
		echo "== $name, $package, for $1"
		go test -run '^$' -fuzz "^$name\$" -fuzztime "$1" "$package"
	done
done
