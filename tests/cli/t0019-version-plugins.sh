#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

have_JSON_PLUGIN() {
	[ -e "$O/lib/perf/jansson.so" ] || { echo "built without jansson"; return 1; }
}
need JSON_PLUGIN

# a perf of its own, with its plug-in where an installation has it
mkdir -p inst/bin inst/lib/perf
cp "$PERF" inst/bin/perf
cp "$O/lib/perf/jansson.so" inst/lib/perf/
chmod 755 inst/lib/perf/jansson.so

check 'finds its plug-ins beside itself and says so' '
	inst/bin/perf version --build-options > out
	grep -Eq "^ *jansson: \[ on  \]  # HAVE_JANSSON_SUPPORT$" out
	inst/bin/perf check -q feature jansson
'
check 'says what is missing where it is not installed' '
	mkdir -p alone
	cp inst/bin/perf alone/
	alone/perf version --build-options > out
	grep -q "jansson: .*its plug-in is not installed" out || grep -Eq "jansson: \[ on" out	# installed on this machine
'
check 'does not take a plug-in that everybody may write, from here, or from where the environment says' '
	chmod o+w inst/lib/perf/jansson.so
	fails_with 1 inst/bin/perf check -q feature jansson
	chmod o-w inst/lib/perf/jansson.so
	inst/bin/perf check -q feature jansson
	chmod o+w inst/lib/perf
	fails_with 1 inst/bin/perf check -q feature jansson
	mkdir -p lib/perf empty/bin
	cp inst/bin/perf empty/bin/
	cp "$O/lib/perf/jansson.so" lib/perf/
	[ -e /usr/local/lib/perf/jansson.so ] ||
		fails_with 1 env LD_LIBRARY_PATH="$PWD/lib/perf" PERF_EXEC_PATH="$PWD" empty/bin/perf check -q feature jansson
'
