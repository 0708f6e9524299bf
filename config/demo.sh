#!/bin/sh
# demo.sh: the first minute. Installs what is missing (as root), builds, records a small program into
# ./perf.data, shows where its time went, and names commands to try next: 40 lines at most.
set -eu
cd "$(dirname "$0")/.."
step() {
	printf '\n[%s of 4] %s\n' "$1" "$2"
}

# how many sources have no object, or an older one
to_compile() {
	make PROGRESS=1 -n all | sed -n "s/^printf .* CC \(.*\)\.c$/\1/p" | while read -r file; do
		[ "build/$file.o" -nt "$file.c" ] || echo "$file"
	done | wc -l
}

# counts the compiler's calls among the lines that make prints; a terminal sees each, a file every quarter
progress() {
	terminal=0
	[ ! -t 1 ] || terminal=1
	awk -v total="$1" -v terminal=$terminal '
		{ sub(/^ +/, "") }
		/^CC / {
			n++
			of = n <= total ? n " of " total : n	# more where a header changed
			if (terminal) { printf "\r  compiling %s\033[K", of; begun = 1 }
			else if (total && int(n * 4 / total) > int((n - 1) * 4 / total)) print "  compiling " of
			fflush()
			next
		}
		/^(PLUGIN|PROBE) / { next }
		begun { print ""; begun = 0 }
		/^LINK / { print "  linking"; next }
		{ print; fflush() }'
}

step 1 'Installing what is missing'
config/deps.sh

step 2 'Building ./perf'
total=$(to_compile)
[ "$total" != 0 ] || echo '  nothing to compile'
status=$(mktemp)
trap 'rm -f "$status"' EXIT
{ make --no-print-directory PROGRESS=1 all || echo failed > "$status"; } | progress "$total"
[ ! -s "$status" ] || exit 1

step 3 'Recording two seconds of a program, with call chains, into ./perf.data'
run() {
	printf '$ %s\n' "$*"
	"$@"
}
run ./perf record -g -o perf.data -- ./perf test -w callchain 2

step 4 'Which functions took the time'
printf '%s\n' "$ ./perf report --stdio --no-children -g none | grep -v '^#\$' | head -n 14"
./perf report --stdio --no-children -g none | grep -v '^#$' | head -n 14

cat <<END

Try next:
  ./perf report --stdio --no-children    # the same with call chains: who called these functions
  ./perf stat -- ls                      # count events of a program instead of sampling
  ./perf help record                     # the manual: what else can be recorded, and how
END
