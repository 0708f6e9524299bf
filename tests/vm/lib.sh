# shellcheck shell=sh disable=SC2034
# lib.sh: for the scripts of tests/vm, each of which boots one guest of the test lab. See README.

. "$(dirname "$0")/../cli/lib.sh"

# seconds_left: of what tests/vm/run gives to all guests; clocks of the day jump
seconds_left() {
	now=$(cut -d. -f1 /proc/uptime)
	echo $((${VM_END:-$((now + 440))} - now))
}
skip_rest() { # WHY
	too_slow=1
	nr_checks=$((nr_checks + 1))
	echo "ok $nr_checks - the rest of the $arch guest # SKIP $1"
}

# debuginfo: the next guests see the debug information of their kernels, if VM_DEBUGINFO is set: the lab
# fetches it first, and it is large
vm_options=
debuginfo() {
	[ -z "${VM_DEBUGINFO:-}" ] || vm_options=--debuginfo
}

# in_guest ARCH PART...: boots it, runs in-guest.sh for the parts there, and takes its TAP over. What the
# guest wrote is in $OUT.
in_guest() {
	arch=$1
	shift
	OUT=$O/$arch/vm
	rm -rf "$OUT"
	mkdir -p "$OUT"
	built=$O/$arch perf=$O/$arch/perf
	[ "$arch" != "$(uname -m)" ] || built=$O perf=$SRC/perf
	limit=$(($(seconds_left) - 40))		# what comes back is looked at here
	[ $limit -lt 400 ] || limit=400
	[ $limit -ge 30 ] || { skip_rest "this host is too slow now: no time is left"; return; }
	# shellcheck disable=SC2086 # several words, or none
	(cd "$SRC" && "$VMLAB/vm-run" --arch "$arch" $vm_options --timeout $limit --share "$SRC:ro" --share "$OUT" --env "OUT=$OUT" \
		--env "O=$built" --env "PERF=$perf" -- sh "$SRC/tests/vm/in-guest.sh" "$@") > "$TMP/guest" 2> "$TMP/guest.err"
	rc=$?
	awk -v first=$((nr_checks + 1)) -v arch="$arch" '
		/^(not )?ok / { sub(/ok [0-9]* - /, "ok " first++ " - in the " arch " guest: ") }
		!/^1\.\./' "$TMP/guest"
	nr_checks=$((nr_checks + $(grep -cE '^(not )?ok ' "$TMP/guest")))
	nr_failed=$((nr_failed + $(grep -c '^not ok ' "$TMP/guest")))
	too_slow=
	if [ "$rc" = 124 ]; then
		skip_rest "this host is too slow now: no end after $limit s"
		return
	fi
	if [ "$rc" = 125 ] && [ ! -s "$TMP/guest" ]; then
		skip_rest "it did not start: $(tail -n 1 "$TMP/guest.err")"
		return
	fi
	check "the $arch guest came to its end" '
		grep -q "^1\.\." "$TMP/guest" || { echo "status '$rc'"; cat "$TMP/guest" "$TMP/guest.err"; exit 1; }
	'
}

# the host's perf; how the files of the guest are found
on_host() {
	PERF_BUILDID_DIR=$OUT/cache "$SRC/perf" "$@"
}
where() {
	echo "--symfs $OUT/root --kallsyms $OUT/kallsyms"
}

# same_here NAME WHAT: report and script of $OUT/NAME.data print here what they printed in the guest
same_here() {
	[ -z "$too_slow" ] || return 0
	export NAME=$1
	# shellcheck disable=SC2016 # evaluated later
	check "$2: the report is that of the $arch guest" '
		on_host report --stdio $(where) -i "$OUT/$NAME.data" > report
		same "$OUT/$NAME.report" report
	'
	# shellcheck disable=SC2016
	check "$2: the script is that of the $arch guest" '
		on_host script $(where) -i "$OUT/$NAME.data" > script
		same "$OUT/$NAME.script" script
	'
	# shellcheck disable=SC2016
	[ ! -e "$OUT/$1.dump" ] || check "$2: the dump is that of the $arch guest" '
		(cd "$OUT" && on_host report -D -i "$NAME.data") > dump
		cmp "$OUT/$NAME.dump" dump
	'
}

# all that part_record and part_stat have recorded
recorded_same_here() {
	same_here flat 'flat profile'
	same_here all 'all CPUs'
	same_here chain 'frame pointers'
	same_here dwarf 'stack dumps'
	same_here trace 'tracepoints'
	same_here packed 'compressed file'
	same_here pipe 'pipe file'
	stat_same_here stat
}

# stat_same_here NAME: the same for a file of perf stat record
stat_same_here() {
	[ -z "$too_slow" ] || return 0
	export NAME=$1
	# shellcheck disable=SC2016
	check "counts of the $arch guest" '
		(cd "$OUT" && on_host stat report -i "$NAME.data") 2> counts
		same "$OUT/$NAME.stat" counts
	'
}
