#!/bin/sh
# Runs make targets one after the other, stops at the first that fails and
# names it, and closes with the seconds that each took.
set -eu

table=
start=$(date +%s)
for stage in "$@"; do
	began=$(date +%s)
	printf '\n== %s\n' "$stage"
	if ! "${MAKE:-make}" --no-print-directory "$stage"; then
		printf '\nFAILED at the stage %s. To run it alone: make %s\n' "$stage" "$stage" >&2
		exit 1
	fi
	table=$table$(printf '%6d s  %s' "$(($(date +%s) - began))" "$stage")'
'
done
printf '\n%s%6d s  all %d stages passed\n' "$table" "$(($(date +%s) - start))" "$#"
