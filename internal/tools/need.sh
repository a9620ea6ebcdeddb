#!/bin/sh
# Makes sure that what a target needs beyond Go and make is there.
#
#	need.sh run     a PostgreSQL server's programs, unless DATABASE_URL is set
#	need.sh test    those, a C compiler for the race detector, Chromium, and
#	                Node.js with npm for the scripts' tests
#
# On Debian and Ubuntu, root gets what is missing installed. Everybody else is
# told in one line what to install. No database cluster is made and no service
# is left running.
#
# Elsewhere this does nothing: the program and the tests look in more places,
# and say themselves what they miss.
set -eu

command -v apt-get >/dev/null || exit 0
missing=

need_postgres() {
	if [ -n "${WEBSHELL_PG_BIN:-}" ]; then
		return # the program says so when nothing is there
	fi
	for dir in /usr/lib/postgresql/*/bin; do
		if [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ]; then
			return
		fi
	done
	if ! command -v postgres >/dev/null; then
		missing="$missing postgresql"
	fi
}

need_compiler() {
	if ! command -v "${CC:-gcc}" >/dev/null; then
		missing="$missing gcc libc6-dev"
	elif ! echo '#include <stdlib.h>' | "${CC:-gcc}" -E - >/dev/null 2>&1; then
		missing="$missing libc6-dev"
	fi
}

need_browser() {
	if [ -n "${CHROMIUM:-}" ]; then
		return # the tests say so when nothing is there
	fi
	for name in chromium-headless-shell chromium chromium-browser google-chrome; do
		if command -v "$name" >/dev/null; then
			return
		fi
	done
	missing="$missing chromium"
}

need_node() {
	for name in node npm; do
		if ! command -v $name >/dev/null; then
			missing="$missing nodejs npm"
			return
		fi
	done
}

# without_cluster runs a command while Debian's packages are told not to make
# a database cluster, and puts the setting back as it was.
without_cluster() {
	dir=/etc/postgresql-common/createcluster.d
	setting=$dir/zz-webshell.conf
	mkdir -p "$dir"
	echo "create_main_cluster = false" >"$setting"
	trap 'rm -f "$setting"; rmdir "$dir" "${dir%/*}" 2>/dev/null || true' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	"$@"
}

install_missing() {
	export DEBIAN_FRONTEND=noninteractive
	wait=DPkg::Lock::Timeout=300
	apt-get -o $wait -q update
	case " $missing " in
	*" chromium "*)
		# The same engine without a window starts in half the time.
		if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
			missing="$(echo "$missing" | sed 's/chromium/chromium-headless-shell/')"
		fi
		;;
	esac
	echo "Installing$missing"
	# shellcheck disable=SC2086 # a list of words
	without_cluster apt-get -o $wait -q -y --no-install-recommends install $missing
}

case "${1:-}" in
run)
	[ -n "${DATABASE_URL:-}" ] || need_postgres
	;;
test)
	need_postgres
	need_compiler
	need_browser
	need_node
	;;
*)
	echo "usage: need.sh run | test" >&2
	exit 2
	;;
esac

if [ -z "$missing" ]; then
	exit 0
fi
if [ "$(id -u)" != 0 ]; then
	echo "Missing: ask an administrator to run \"apt-get install --no-install-recommends$missing\", then try again." >&2
	exit 1
fi
install_missing >&2
